import { Counter, type Registry } from 'prom-client';

/**
 * Every label combination of a closed set exists from the start at 0, so that an alert on the first failure
 * sees it rise.
 */
export function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labels: Readonly<Record<Label, readonly string[]>>,
): Counter<Label> {
  const names = Object.keys(labels) as Label[];
  const made = new Counter({ name: `counterfoil_${name}`, help, labelNames: names, registers: [registry] });
  for (const combination of combinations(labels, names)) made.inc(combination, 0);
  return made;
}

function combinations<Label extends string>(
  labels: Readonly<Record<Label, readonly string[]>>,
  [first, ...rest]: readonly Label[],
): Partial<Record<Label, string>>[] {
  if (first === undefined) return [{}];
  const others = combinations(labels, rest);
  return labels[first].flatMap((value) => others.map((other) => ({ ...other, [first]: value })));
}
