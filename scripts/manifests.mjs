// Looks at what other programs read: the workflows of GitHub Actions, the manifests of Kubernetes.
import { dirname } from 'node:path';
import { kubernetesProblems } from './manifests/kubernetes.mjs';
import { workflowProblems } from './manifests/workflows.mjs';

const root = dirname(import.meta.dirname);
const problems = [...(await workflowProblems(root)), ...(await kubernetesProblems(root))];
if (problems.length > 0) console.error(problems.join('\n'));
process.exitCode = problems.length > 0 ? 1 : 0;
