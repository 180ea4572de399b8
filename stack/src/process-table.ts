import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  pid: number;
  parent: number;
  /** At most 15 characters, as Linux keeps it. */
  name: string;
}

/** Every process of this machine; empty where there is no /proc. */
export function processTable(): ProcessRow[] {
  return pids().flatMap((pid) => rowOf(pid) ?? []);
}

/** The nearest of these names at or below a process. */
export function findBelow(root: number, names: readonly string[], table = processTable()): number | undefined {
  const byPid = new Map(table.map((row) => [row.pid, row]));
  let level = [byPid.get(root)].filter((row) => row !== undefined);
  while (level.length > 0) {
    const found = level.find(({ name }) => names.includes(name));
    if (found) return found.pid;
    const parents = new Set(level.map(({ pid }) => pid));
    level = table.filter(({ parent }) => parents.has(parent));
  }
  return undefined;
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function rowOf(pid: number): ProcessRow | undefined {
  try {
    // `pid (name) state parent …`; the name may hold blanks and brackets itself.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid, parent, name };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
