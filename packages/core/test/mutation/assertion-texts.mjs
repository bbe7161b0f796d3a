/** For Stryker: what an assertion says to programmers is no behaviour, so a test need not know the text. */
function shouldIgnore({ node, parentPath, listKey, key }) {
  const call = parentPath?.node;
  const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
  const isOfAssertion = call?.type === 'CallExpression' && call.callee.name === 'assert';
  return isText && isOfAssertion && listKey === 'arguments' && key > 0 ? 'the text of an assertion' : undefined;
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'assertion-texts', value: { shouldIgnore } }];
