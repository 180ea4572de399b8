import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { unknownFields } from './unknown-fields.mjs';

const FOLDER = 'docs/how-to/kubernetes';
const KUSTOMIZATION = 'kustomization.yaml';
const require = createRequire(import.meta.url);

/** What is wrong with the manifests by the schemas of the API, and what kustomize would not find. */
export async function kubernetesProblems(root) {
  const files = readdirSync(join(root, FOLDER), { recursive: true })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(root, FOLDER, file));
  const objects = files
    .filter((file) => !file.endsWith(KUSTOMIZATION))
    .flatMap((file) => objectsIn(file).map((object) => ({ object, at: relative(root, file) })));
  if (objects.length === 0) return [`${FOLDER} holds no manifest`];
  return [
    ...files.filter((file) => file.endsWith(KUSTOMIZATION)).flatMap((file) => missingResources(root, file)),
    ...objects.flatMap(({ object, at }) => schemaProblems(object).map((says) => `${at}: ${object.kind}: ${says}`)),
    ...unknownFields(root, objects),
  ];
}

export function objectsIn(file) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return documents.map((document) => document.toJS());
}

function missingResources(root, file) {
  const [{ resources }] = objectsIn(file);
  return resources
    .filter((resource) => !existsSync(join(dirname(file), resource)))
    .map((resource) => `${relative(root, file)}: ${resource} is not there`);
}

/** The module of `kubernetes-models` that knows this kind. */
export function moduleOf({ apiVersion, kind }) {
  return apiVersion.startsWith('keda.sh/')
    ? `@kubernetes-models/keda/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;
}

export function schemaProblems(object) {
  try {
    const Model = require(moduleOf(object))[object.kind];
    new Model(object).validate();
    return [];
  } catch (error) {
    return [error.message];
  }
}
