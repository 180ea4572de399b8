import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..', '..');
const SHOP = join(ROOT, 'examples', 'src', 'shop');

export type ModuleKind = 'commonjs' | 'module';

/** A project as a stranger has it: nothing in it but the packed package, installed, and the README's example. */
export class EmptyProject implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    /** Paths in the package. */
    readonly files: readonly string[],
  ) {}

  static async create(): Promise<EmptyProject> {
    const folder = await mkdtemp(join(tmpdir(), 'counterfoil-package-'));
    const { files, tarball } = await pack(folder);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a-stranger', private: true }));
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder);
    for (const kind of ['commonjs', 'module'] as const) await addShop(join(folder, kind), kind);
    return new EmptyProject(folder, files);
  }

  get installed(): string {
    return join(this.folder, 'node_modules', '@counterfoil', 'message-table');
  }

  /** @returns what the compiler says about our types and their use; other packages' types are their own affair */
  async compile(kind: ModuleKind): Promise<string[]> {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const said = await run(process.execPath, [tsc, '-p', kind, '--pretty', 'false'], this.folder).catch(
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    return said.split('\n').filter((line) => /^(commonjs|module|node_modules\/@counterfoil|error)\b/.test(line));
  }

  /** @returns what it printed */
  node(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    return run(process.execPath, args, this.folder, environment);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

async function pack(folder: string): Promise<{ files: string[]; tarball: string }> {
  const args = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', folder];
  const said = await run('npm', args, join(ROOT, 'message-table'));
  // npm 12 names the packages, those before make a list of them.
  const packed = Object.values(JSON.parse(said) as Record<string, { filename: string; files: { path: string }[] }>)[0];
  if (packed === undefined) throw new Error(`npm pack says ${said}`);
  return { files: packed.files.map(({ path }) => path), tarball: join(folder, packed.filename) };
}

async function addShop(folder: string, type: ModuleKind): Promise<void> {
  await mkdir(folder);
  await cp(SHOP, join(folder, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }));
  const compilerOptions = {
    ...{
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      strict: true,
      skipLibCheck: false,
    },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: type === 'module' },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], rootDir: 'src', outDir: 'out' },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  return (await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
}
