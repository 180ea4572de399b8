// Tables of options, made from the interfaces: a property without a docstring is an error.
import ts from 'typescript';

const UNITS = { Ms: 'ms', S: 's', Bytes: 'bytes', Days: 'days' };

/**
 * The properties of an interface, or of an object type in it, as a reader needs them.
 *
 * @returns {{ name: string, optional: boolean, text: string }[]}
 */
export function optionsOf(source, interfaceName) {
  const file = ts.createSourceFile('options.ts', source, ts.ScriptTarget.Latest, true);
  const declaration = file.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === interfaceName);
  if (declaration === undefined) throw new Error(`There is no interface ${interfaceName}`);
  return declaration.members.map((member) => {
    const name = member.name.getText(file);
    const text = ts
      .getJSDocCommentsAndTags(member)
      .map((doc) => textOf(doc, file))
      .join(' ');
    if (text === '') throw new Error(`${interfaceName}.${name} has no docstring`);
    return { name, optional: member.questionToken !== undefined, text };
  });
}

const textOf = (doc, file) =>
  doc
    .getText(file)
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/@throws/g, 'Throws:')
    .replace(/\s+/g, ' ')
    .trim();

/** A Markdown table of options; what is not required and has no default may be left out. */
export function optionTable(options, defaults) {
  const rows = options.map(({ name, optional, text }) => {
    const value = name in defaults ? shown(defaults[name], unitOf(name)) : optional ? 'none' : 'required';
    return `| \`${name}\` | ${value} | ${text.replaceAll('|', '\\|')} |`;
  });
  return ['| option | default | what it is, and what moving it costs |', '| --- | --- | --- |', ...rows].join('\n');
}

const unitOf = (name) => UNITS[/(Ms|S|Bytes|Days)$/.exec(name)?.[1]] ?? '';

function shown(value, unit) {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'object' ? 'as below' : `${value} ${unit}`.trim();
}
