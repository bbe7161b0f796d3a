import { readFileSync } from 'node:fs';
import { Command, Help, Option } from 'commander';
import { type Arguments, type Output, UsageError } from './command.ts';
import { COMMANDS, type CommandSpec } from './commands.ts';
import { HELP_LAYOUT, wrapped, wrappedExample } from './help.ts';
import { checkFiles } from './input-files.ts';

export interface ProgramParts {
  /** Receives the text of help, of the version and of a completion. */
  write(text: string): void;
  /** Receives the output of a command. */
  finish(output: Output, given: Arguments, isPretty: boolean): Promise<void>;
}

/** The command line, without any of the code that commands run. */
export function createProgram({ write, finish }: ProgramParts): Command {
  const program = new Command('tarifario')
    .description('Compares Spanish electricity and gas tariffs.')
    .version(versionOf(), '-v, --version', 'print the version')
    .helpCommand(false)
    .helpOption('-h, --help', 'show how it is called; before or after a command, how that is')
    .configureOutput({ writeOut: write, writeErr: () => {} })
    .exitOverride()
    .configureHelp({
      ...HELP_LAYOUT,
      subcommandTerm: (command) => `tarifario ${wordsOf(command)}`,
      optionTerm: ({ flags }) => flags.replaceAll(/[<>]/g, ''),
      optionDescription: ({ description }) => description,
      // The help of the program lists the commands; that of a group lists its part of them.
      formatHelp: (command, helper) =>
        new Help().formatHelp(command, Object.assign(Object.create(helper), { visibleCommands: leavesOf })),
    })
    .addHelpText('after', () =>
      wrapped(
        '\nEvery command takes --pretty for tables in place of JSON, and reads DATABASE_URL.\n' +
          'tarifario completion bash|zsh|fish|powershell prints what completes commands in that shell.',
      ),
    );
  for (const spec of COMMANDS) {
    const command = groupOf(program, spec).command(spec.words.split(' ').at(-1) ?? '');
    describe(command, spec);
    command.action(async () => {
      const { pretty, ...values } = command.opts<Record<string, string | boolean>>();
      const args = argumentsOf(spec, { values, operands: command.args });
      checkModes(spec, args);
      checkFiles(filesReadBy(spec), args);
      const run = await spec.load();
      const output = await run(args);
      if (output !== null) await finish(output, args, pretty === true);
    });
  }
  return program;
}

function groupOf(program: Command, { words }: CommandSpec): Command {
  const [group = '', word] = words.split(' ');
  if (word === undefined) return program;
  return program.commands.find((command) => command.name() === group) ?? program.command(group);
}

/** @throws UsageError for options that do not go together. */
function checkModes({ either = [], goesWith = {}, operand }: CommandSpec, args: Arguments): void {
  const isGiven = (name: string) => args.value(name) !== null || args.flag(name);
  const shown = (name: string) => (name === operand ? name : `--${name}`);
  for (const names of either.map((group) => group.filter(isGiven))) {
    if (names.length > 1) throw new UsageError(`either ${names.map(shown).join(' or ')}`);
  }
  for (const [name, needed] of Object.entries(goesWith)) {
    const others = needed.split('|');
    if (isGiven(name) && !others.some(isGiven))
      throw new UsageError(`--${name} is for ${others.map(shown).join(' or ')}`);
  }
}

/** The options that name a file to read. */
function filesReadBy({ options = {} }: CommandSpec): readonly string[] {
  return Object.keys(options).flatMap((flags) => /^--(?!out )(\S+) FILE$/.exec(flags)?.slice(1) ?? []);
}

function describe(
  command: Command,
  { about, operand = '', isOptional, usage = operand, options = {}, hasTable, isLong, example }: CommandSpec,
): void {
  const table = {
    '--out FILE': 'write a table: .csv or .xlsx',
    '--format csv|es': 'CSV; es: as a spreadsheet in Spanish reads it',
  };
  command.description(about).usage(usage).helpOption('-h, --help', 'show this');
  command.addHelpText('after', () => `\nExample:\n${wrappedExample(example)}`);
  if (operand !== '') command.argument(isOptional ? `[${operand}]` : `<${operand}>`);
  for (const [flags, text] of Object.entries({ ...(hasTable ? table : {}), ...options })) {
    command.addOption(optionOf(flags, text));
  }
  if (isLong) command.option('--progress', 'tell on stderr how far it is, also where that is no terminal');
  command.option('--pretty', 'print tables in place of JSON');
}

function optionOf(flags: string, about: string): Option {
  const [name = '', value] = flags.split(' ');
  if (value === undefined) return new Option(name, about);
  const choices = /^[a-z]+(\|[a-z]+)+$/.test(value) ? value.split('|') : null;
  const option = new Option(`${name} <${value}>`, about);
  if (choices) option.choices(choices);
  const parse = option.parseArg;
  return option.argParser((text, previous) => {
    if (previous !== undefined) throw new UsageError(`${name} is given more than once`);
    return parse ? parse.call(option, text, undefined) : text;
  });
}

function argumentsOf(
  { words, operand }: CommandSpec,
  given: { readonly values: Readonly<Record<string, string | boolean>>; readonly operands: readonly string[] },
): Arguments {
  const values = new Map(Object.entries(given.values).map(([name, value]) => [name.toLowerCase(), value]));
  const [first] = given.operands;
  if (operand !== undefined && first !== undefined) values.set(operand, first);
  const find = (name: string) => values.get(name.replaceAll('-', '')) ?? null;
  const value = (name: string) => {
    const text = find(name);
    return typeof text === 'string' ? text : null;
  };
  return {
    value,
    required(name) {
      const text = value(name);
      if (text === null) throw new UsageError(`${words} needs --${name}`);
      return text;
    },
    flag: (name) => find(name) === true,
    operands: given.operands,
  };
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length === 0 ? [child] : leavesOf(child)));
}

function wordsOf(command: Command): string {
  return command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}

function versionOf(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
