// The alert rules and the dashboard against what the services really report. With promtool, the rules' own tests, too.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { metricNames, namesIn } from './metric-names.mjs';

const root = dirname(dirname(import.meta.dirname));
const folder = join(root, 'monitoring');
const text = (file) => readFileSync(join(folder, file), 'utf8');

const names = await metricNames(root);
const rules = parse(text('rules/counterfoil.yml')).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(text('grafana/dashboards/counterfoil.json'));
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

const unknown = (expressions) => expressions.flatMap(namesIn).filter((name) => !names.has(name));

describe('monitoring', () => {
  it('when an alert asks for a metric, then a service reports it', () => {
    assert.ok(rules.length > 5);
    assert.deepEqual(unknown(rules.map(({ expr }) => expr)), []);
  });

  it('when the dashboard asks for a metric, then a service reports it', () => {
    assert.ok(queries.length > 15);
    assert.deepEqual(unknown(queries), []);
    assert.ok(queries.every((query) => namesIn(query).length > 0 || query.includes('rabbitmq_')));
  });

  it('when a service reports something, then the dashboard shows it', () => {
    const shown = new Set(queries.flatMap(namesIn).map((name) => name.replace(/_(bucket|count)$/, '')));
    const ours = [...names].filter((name) => name.startsWith('counterfoil_') && !/_(bucket|count)$/.test(name));
    assert.deepEqual(
      ours.filter((name) => !shown.has(name)),
      ['counterfoil_claims_empty_total', 'counterfoil_messages_archived_total'],
    );
  });

  it('when there is an alert, then it says what to do, and a test makes it fire', () => {
    const { tests } = parse(text('rules.test.yml'));
    const fired = tests.flatMap((test) => test.alert_rule_test).filter(({ exp_alerts: alerts }) => alerts.length > 0);
    for (const { alert, annotations, labels } of rules) {
      assert.ok(annotations.summary && annotations.action && labels.severity, alert);
      assert.ok(
        fired.some(({ alertname }) => alertname === alert),
        `no test makes ${alert} fire`,
      );
    }
  });

  it('when promtool is at hand, then the tests of the rules pass', (test) => {
    const promtool = promtoolCommand();
    if (promtool === null) return test.skip('no promtool on the PATH and no prom/prometheus image');
    const [program, ...args] = promtool;
    const result = spawnSync(program, [...args, 'test', 'rules', 'rules.test.yml'], { cwd: folder, encoding: 'utf8' });
    assert.equal(result.status, 0, result.stdout + result.stderr);
  });
});

function promtoolCommand() {
  const works = (command) => spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;
  if (works(['promtool', '--version'])) return ['promtool'];
  const image = /PROMETHEUS_IMAGE=(\S+)/.exec(readFileSync(join(root, '.env.example'), 'utf8'))[1];
  if (!works(['docker', 'image', 'inspect', image])) return null;
  return [
    'docker',
    'run',
    '--rm',
    '-v',
    `${folder}:/monitoring:ro`,
    '-w',
    '/monitoring',
    '--entrypoint',
    'promtool',
    image,
  ];
}
