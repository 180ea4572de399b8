/** Values of one metric on a Prometheus text page, each with its labels as they stand there: `{via="relay",to="SENT"}`. */
export function valuesOf(page: string, metric: string): { readonly labels: string; readonly value: number }[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith(metric) && /^[{ ]/.test(line.slice(metric.length)))
    .map((line) => ({ labels: /\{.*\}/.exec(line)?.[0] ?? '', value: Number(line.slice(line.lastIndexOf(' ') + 1)) }));
}

/** The sum over those whose labels hold all of `wanted`. */
export const sumOf = (page: string, metric: string, ...wanted: readonly string[]): number =>
  valuesOf(page, metric)
    .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
    .reduce((total, { value }) => total + value, 0);
