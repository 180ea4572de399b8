import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetesProblems, objectsIn, schemaProblems } from './kubernetes.mjs';
import { unknownFields } from './unknown-fields.mjs';
import { workflowProblems } from './workflows.mjs';

const root = dirname(dirname(import.meta.dirname));
const scratch = mkdtempSync(join(tmpdir(), 'counterfoil-manifests-'));
after(() => rmSync(scratch, { recursive: true }));

const relay = () => objectsIn(join(root, 'docs/how-to/kubernetes/relay.yaml'))[0];
const scaler = () => objectsIn(join(root, 'docs/how-to/kubernetes/keda/scaled-object.yaml'))[0];
const changed = (object, change) => {
  change(object);
  return object;
};
const unknownIn = (object) => unknownFields(root, [{ object, at: 'here' }]);

describe('the manifests', () => {
  it('when they are as they should be, then nothing is said', async () => {
    assert.deepEqual(await kubernetesProblems(root), []);
  });

  it('when a field is missing or of the wrong type, then the schema says so', () => {
    const noSelector = changed(relay(), ({ spec }) => delete spec.selector);
    assert.match(schemaProblems(noSelector).join(), /selector/);
    const textForNumber = changed(relay(), ({ spec }) => (spec.replicas = 'two'));
    assert.match(schemaProblems(textForNumber).join(), /replicas/);
    const noTarget = changed(scaler(), ({ spec }) => delete spec.scaleTargetRef);
    assert.match(schemaProblems(noTarget).join(), /scaleTargetRef/);
  });

  it('when a field is misspelt, then it is found, however deep', () => {
    const probe = changed(relay(), ({ spec }) => {
      const [container] = spec.template.spec.containers;
      container.livenessProbe.periodSecond = 5;
    });
    assert.match(unknownIn(probe).join(), /here: .*periodSecond/);
    assert.match(unknownIn(changed(scaler(), ({ spec }) => (spec.maxReplicas = 3))).join(), /maxReplicas/);
    assert.deepEqual(unknownIn(relay()), []);
  });

  it('when a kustomization names a file that is not there, then it is found', async () => {
    const folder = join(scratch, 'docs/how-to/kubernetes');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'kustomization.yaml'), 'resources: [nowhere.yaml]\n');
    assert.deepEqual(await kubernetesProblems(scratch), ['docs/how-to/kubernetes holds no manifest']);
    writeFileSync(join(folder, 'map.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
    assert.match((await kubernetesProblems(scratch)).join(), /nowhere\.yaml is not there/);
  });

  it('when a workflow needs a job that does not exist, then it is found', async () => {
    const folder = join(scratch, '.github/workflows');
    mkdirSync(folder, { recursive: true });
    const job = 'runs-on: ubuntu-latest, needs: b, steps: [{ run: "echo ${{ matrix.x }}" }]';
    writeFileSync(join(folder, 'bad.yml'), `on: push\njobs: { a: { ${job} } }\n`);
    const problems = (await workflowProblems(scratch)).join('\n');
    assert.match(problems, /needs job "b"/);
    assert.match(problems, /"x" is not defined/);
  });
});
