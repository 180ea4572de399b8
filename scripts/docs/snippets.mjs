const INCLUDE =
  /^<!-- include: (?<path>\S+?)(?:#(?<region>\S+))? -->\n(?<gap>\n*)(?<fence>`{3,})(?<language>.*)\n[\s\S]*?^\k<fence>$/gm;
const ASKED = /^<!-- include: .*$/gm;
const MARKER = /^\s*(?:\/\/|--|#|<!--|\/\*)\s*#(region|endregion)\b\s*([\w-]*)/;

/** The document with every included block as its file has it now; `read` gives the text of a path beside the document. */
export function filled(document, read) {
  const blocks = document.match(INCLUDE)?.length ?? 0;
  if (blocks !== (document.match(ASKED)?.length ?? 0)) throw new Error('an include is not followed by a fenced block');
  return document.replace(INCLUDE, (...match) => {
    const { path, region, gap, fence, language } = match.at(-1);
    const text = region ? regionOf(read(path), region) : read(path);
    const name = region ? `${path}#${region}` : path;
    return `<!-- include: ${name} -->\n${gap}${fence}${language}\n${text.trimEnd()}\n${fence}`;
  });
}

/** The lines of a `// #region name`, without what they are indented by and without the marks of regions inside. */
export function regionOf(source, name) {
  const lines = source.split('\n');
  const start = lines.findIndex((line) => markOf(line)?.kind === 'region' && markOf(line).name === name);
  if (start < 0) throw new Error(`there is no region ${name}`);
  const inside = [];
  let depth = 1;
  for (const line of lines.slice(start + 1)) {
    const kind = markOf(line)?.kind;
    if (kind === 'region') depth += 1;
    if (kind === 'endregion') depth -= 1;
    if (depth === 0) return dedent(inside);
    if (!kind) inside.push(line);
  }
  throw new Error(`region ${name} does not end`);
}

function markOf(line) {
  const match = MARKER.exec(line);
  return match && { kind: match[1], name: match[2] };
}

function dedent(lines) {
  const indents = lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}
