// One table, one module: who else could move a row without the rules of the state machine?

const MAY_TOUCH_BOTH = [
  /^message-table\/migrations\//,
  // Who judges from outside reads the tables as they are.
  /^chaos\/src\/(books|run|witnesses)\//,
  // A planted bug, or a fault, does what the stores never would.
  /^chaos\/src\/(sabotage|nemesis)\//,
  /^reconcile\/src\/books\//,
  /\.test\.tsx?$/,
  /\/(testkit|testing)\//,
];

const OWNERS = {
  producer_message: [/^message-table\/src\/producer\/store\//, ...MAY_TOUCH_BOTH],
  consumer_message: [/^message-table\/src\/consumer\/store\//, ...MAY_TOUCH_BOTH],
};

const sqlOn = (table) =>
  new RegExp(
    [
      `\\b(?:from|into|update|join|table|on)\\s+["\`]?${table}\\b`, // in a statement
      `\\b(?:knex|trx|db|from|into|table|join)\\(\\s*['"\`]${table}['"\`]`, // through a query builder
      `\\b(?:const|let|readonly|static)\\s+\\w+\\s*=\\s*['"\`]${table}['"\`]`, // under another name
    ].join('|'),
    'gi',
  );

/** The places in a source file that hold SQL on a message table which the file does not own. */
export function strayTableUses(path, source) {
  const code = withoutComments(source);
  return Object.entries(OWNERS)
    .filter(([, owners]) => !owners.some((owner) => owner.test(path)))
    .flatMap(([table]) => [...code.matchAll(sqlOn(table))])
    .map(({ 0: text, index }) => ({ line: code.slice(0, index).split('\n').length, text: text.replace(/\s+/g, ' ') }));
}

// Blanks of the same length, so that positions stay.
function withoutComments(source) {
  const blank = (text) => text.replace(/[^\n]/g, ' ');
  return source.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/^\s*\/\/.*$/gm, blank);
}
