import { linksOf } from './links.mjs';

const CODE_SPAN = /`[^`\n]+`/g;
const TABLE_ROW = /^\|.*\|$/gm;

/**
 * What the original's tables name and its translation's do not: code spans, and links anywhere. The words cannot be
 * compared; a command, a promise's test or a folder that only one of the two names can.
 */
export function missingInTranslation(original, translation) {
  return [...named(original)].filter((name) => !named(translation).has(name));
}

function named(document) {
  const rows = (document.match(TABLE_ROW) ?? []).join('\n');
  const links = linksOf(document).filter((link) => !link.startsWith('README'));
  return new Set([...links, ...(rows.match(CODE_SPAN) ?? [])]);
}
