import { ROUTES, type Route } from './routes.js';

export type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly params: readonly string[] }
  | { readonly kind: 'wrong-method' }
  | { readonly kind: 'unknown' };

/** Segments are decoded one by one: %20 works in names, and a name may contain %2F. */
export function match(method: string, url: string): Match {
  const segments = segmentsOf(url);
  const onPath = ROUTES.filter(({ path }) => fits(path.split('/'), segments));
  const route = onPath.find(({ methods }) => methods.includes(method));
  if (!route) return { kind: onPath.length > 0 ? 'wrong-method' : 'unknown' };
  const params = segments.filter((_, index) => route.path.split('/')[index] === '*');
  return { kind: 'route', route, params };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (part === '*' ? segments[index] !== '' : part === segments[index]));
}

function segmentsOf(url: string): readonly string[] {
  const [path = ''] = url.split('?');
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}
