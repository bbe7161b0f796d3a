/** What removes the stores that no test has alone, once their file of tests is over. */
export const kept: (() => Promise<void>)[] = [];
