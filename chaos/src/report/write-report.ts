import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { junitXml } from './junit.js';
import { reportPage } from './page/page.js';
import type { Report } from './report.js';
import { stepSummary } from './step-summary.js';

/**
 * Writes report.html, junit.xml and summary.md into the run's folder.
 * @param stepSummaryFile where GitHub collects what its summary shows; runs append to it
 * @returns the path of the page
 */
export async function writeReport(report: Report, stepSummaryFile: string | null): Promise<string> {
  const page = join(report.folder, 'report.html');
  const summary = stepSummary(report);
  await writeFile(page, reportPage(report));
  await writeFile(join(report.folder, 'junit.xml'), junitXml(report));
  await writeFile(join(report.folder, 'summary.md'), summary);
  if (stepSummaryFile !== null) await appendFile(stepSummaryFile, `${summary}\n`);
  return page;
}
