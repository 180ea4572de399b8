const FENCED = /^(`{3,}).*\n[\s\S]*?^\1$/gm;
const HAS_SCHEME = /^[a-z][a-z+.-]*:/i;

/** The relative links of a document whose file, or whose heading in a Markdown file, is not there. */
export function brokenLinks(document, read) {
  return linksOf(document).filter((link) => {
    const [path, anchor] = decodeURI(link).split('#');
    const target = path === '' ? document : read(path);
    if (target === undefined) return true;
    return anchor !== undefined && (path === '' || path.endsWith('.md')) && !anchorsOf(target).has(anchor);
  });
}

/** The relative links of a document, in their order; those in code are none. */
export function linksOf(document) {
  const text = document.replace(FENCED, '').replace(/`[^`\n]*`/g, '');
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...references].map((match) => match[1]).filter((link) => !HAS_SCHEME.test(link));
}

/** The names that GitHub gives to headings. */
function anchorsOf(markdown) {
  const seen = new Map();
  const headings = markdown.replace(FENCED, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  const anchors = [...headings].map(([, heading]) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return new Set(anchors);
}
