// What of the k6 scripts runs without k6: their profiles, thresholds and summary, and that they parse.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const FOLDER = join(import.meta.dirname, '..', '..', 'loadtest', 'k6');
const lib = (file) => import(join(FOLDER, 'lib', file));

globalThis.__ENV = {};
const { PROFILES } = await lib('profiles.js');
const { deductionsOf, INITIAL_STOCK, orderOf, peakOf, plannedOrders, productCount, scaled, secondsOf } =
  await lib('profile.js');
const { makeSummary, summaryText } = await lib('summary.js');
const { optionsFor } = await lib('options.js');

const scripts = readdirSync(FOLDER).filter((file) => file.endsWith('.js'));
const sources = readdirSync(FOLDER, { recursive: true }).filter((file) => file.endsWith('.js'));

/** What a good run of a profile measures. */
function goodRun(profile, changes = {}) {
  const orders = plannedOrders(profile);
  return {
    tool: 'k6',
    url: 'http://127.0.0.1:3001',
    attempted: orders,
    ok: orders,
    refused: 0,
    unknown: 0,
    dropped: 0,
    latencyMs: { p50: 1, p90: 2, p99: 3, p999: 4, max: 5 },
    books: { products: productCount(orders), deducted: orders, doubled: 0, unreadable: 0 },
    ...changes,
  };
}

const failed = (summary) => summary.thresholds.filter(({ holds }) => !holds).map(({ name }) => name);

describe('the k6 scripts', () => {
  it('when a script is read, then it is a module that parses', () => {
    for (const file of sources) execFileSync(process.execPath, ['--check', join(FOLDER, file)]);
  });

  it('when there is a profile, then there is a script for it, and the other way round', () => {
    assert.deepEqual(
      scripts.sort(),
      Object.keys(PROFILES)
        .map((name) => `${name}.js`)
        .sort(),
    );
    for (const name of Object.keys(PROFILES))
      assert.match(readFileSync(join(FOLDER, `${name}.js`), 'utf8'), new RegExp(`scenario\\('${name}'\\)`));
  });

  it('when a threshold names a metric, then the scripts make that metric, or k6 does', () => {
    const made = sources.flatMap((file) =>
      [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/new (?:Counter|Trend)\('(\w+)'/g)].map(
        (match) => match[1],
      ),
    );
    assert.equal(new Set(made).size, made.length);
    for (const name of Object.keys(PROFILES)) {
      const metrics = Object.keys(optionsFor(name).thresholds);
      assert.deepEqual(
        metrics.filter((metric) => !made.includes(metric)),
        ['iterations', 'dropped_iterations'],
      );
      assert.deepEqual(
        made.filter((metric) => !metrics.includes(metric)),
        [],
      );
    }
  });

  it('when a profile runs in k6, then it is an open model of the same rates and length', () => {
    for (const [name, profile] of Object.entries(PROFILES)) {
      const [scenario] = Object.values(optionsFor(name).scenarios);
      assert.match(scenario.executor, /-arrival-rate$/);
      const seconds = (text) => Number(text.replace(/s$/, ''));
      const length = scenario.stages
        ? scenario.stages.reduce((sum, { duration }) => sum + seconds(duration), 0)
        : seconds(scenario.duration);
      assert.equal(length, secondsOf(profile));
      assert.equal(scenario.startRate ?? scenario.rate, profile.startRate);
      assert.ok(scenario.maxVUs >= peakOf(profile));
    }
  });
});

describe('a profile', () => {
  it('when its rate and length are scaled, then the shape stays', () => {
    const small = scaled(PROFILES.spike, { rate: 100, seconds: 30 });
    assert.equal(peakOf(small), 100);
    assert.equal(secondsOf(small), 30);
    assert.deepEqual(
      small.stages.map(({ toRate }) => toRate),
      [10, 100, 100, 10, 10],
    );
    assert.equal(small.warmUpSeconds, 2.5);
  });

  it('when every order was deducted, then each digit of the stock says so', () => {
    const plan = { firstProductId: 7, products: productCount(100) };
    const missing = new Map();
    for (let index = 0; index < 100; index += 1) {
      const { productId, quantity } = orderOf(index, plan);
      missing.set(productId, (missing.get(productId) ?? 0) + quantity);
    }
    assert.equal(missing.size, plan.products);
    const counts = [...missing.values()].map((each) => deductionsOf(INITIAL_STOCK - each));
    assert.equal(
      counts.reduce((sum, { deducted }) => sum + deducted, 0),
      100,
    );
    assert.ok(counts.every(({ doubled, unreadable }) => doubled + unreadable === 0));
  });

  it('when an order was deducted twice or more came back than went, then it shows', () => {
    assert.deepEqual(deductionsOf(INITIAL_STOCK - 4 - 4 - 1), { deducted: 2, doubled: 1, unreadable: 0 });
    assert.deepEqual(deductionsOf(INITIAL_STOCK + 1), { deducted: 0, doubled: 0, unreadable: 1 });
  });
});

describe('the summary', () => {
  const profile = PROFILES.steady;
  const of = (changes) => makeSummary('steady', profile, goodRun(profile, changes));

  it('when all went well, then every threshold holds', () => {
    assert.deepEqual(failed(of({})), []);
    assert.equal(of({}).holds, true);
  });

  it('when nothing was placed at all, then it does not hold', () => {
    const nothing = { products: 0, deducted: 0, doubled: 0, unreadable: 0 };
    const summary = of({ attempted: 0, ok: 0, latencyMs: { p50: 0, p90: 0, p99: 0, p999: 0, max: 0 }, books: nothing });
    assert.deepEqual(failed(summary), ['ok', 'deducted', 'products']);
  });

  it('when one accepted order was not deducted, then it does not hold', () => {
    const run = goodRun(profile);
    assert.deepEqual(failed(of({ books: { ...run.books, deducted: run.ok - 1 } })), ['difference']);
    assert.deepEqual(failed(of({ books: { ...run.books, doubled: 1 } })), ['doubled']);
  });

  it('when orders were dropped, unknown, refused or slow, then it says which', () => {
    const orders = plannedOrders(profile);
    assert.deepEqual(failed(of({ dropped: 1_000 })), ['dropped']);
    assert.deepEqual(failed(of({ unknown: 1 })), ['unknown']);
    assert.deepEqual(failed(of({ refused: orders })), ['refused']);
    assert.deepEqual(failed(of({ latencyMs: { p50: 1, p90: 1, p99: 1_001, p999: 1, max: 1 } })), ['p99']);
    assert.deepEqual(failed(of({ latencyMs: { p50: 1, p90: 1, p99: NaN, p999: 1, max: 1 } })), ['p99']);
  });

  it('when it is shown, then every threshold has a line with its mark', () => {
    const text = summaryText(of({ unknown: 1 }));
    assert.equal(text.match(/^ {2}✓ /gm).length, 9);
    assert.match(text, /^ {2}✗ orders of unknown outcome .* 1 {3}at most 0$/m);
  });
});
