import type { Invariant } from '../facts.js';
import { titleOf } from './invariant-titles.js';
import { markup, type Markup } from './markup.js';
import type { Report } from './report.js';

/**
 * JUnit XML: a case for each invariant, and one for the verdict, so that a run which proves nothing is not all green.
 * Broken is a failure; what could not be told is an error; what the scenario does not judge is skipped.
 */
export function junitXml(report: Report): string {
  const { invariants, notJudged, verdict, scenario, seed } = report.file;
  const judged = invariants.map(({ id, ...found }) => ({ name: named(id), body: bodyOf(found) }));
  const skipped = Object.entries(notJudged).map(([id, reason]) => ({
    name: named(id),
    body: markup`<skipped message="${reason}"/>`,
  }));
  const cases = [...judged, ...skipped, { name: 'verdict', body: verdictBody(report) }];
  const count = (holds: boolean | null): number => invariants.filter((one) => one.holds === holds).length;
  const suite = `chaos.${scenario}`;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="${suite}" tests="${cases.length}" failures="${count(false) + (verdict === 'invalid' ? 1 : 0)}" errors="${count(null) + (verdict === 'unknown' ? 1 : 0)}" skipped="${skipped.length}">
<properties><property name="seed" value="${seed}"/></properties>
${cases.map(({ name, body }) => markup`<testcase classname="${suite}" name="${name}">${body}</testcase>\n`)}</testsuite>
</testsuites>
`.text;
}

const named = (id: string): string => `${id} ${titleOf(id)}`.trim();

function bodyOf({ holds, detail, anomalies }: Omit<Invariant, 'id'>): Markup {
  if (holds === true) return markup`<system-out>${detail}</system-out>`;
  const text = anomalies.join('\n');
  return holds === null
    ? markup`<error message="${detail}">${text}</error>`
    : markup`<failure message="${detail}">${text}</failure>`;
}

function verdictBody({ file: { verdict, reasons } }: Report): Markup | null {
  if (verdict === 'valid') return null;
  const message = `${verdict}: ${reasons[0] ?? ''}`;
  const text = reasons.join('\n');
  return verdict === 'unknown'
    ? markup`<error message="${message}">${text}</error>`
    : markup`<failure message="${message}">${text}</failure>`;
}
