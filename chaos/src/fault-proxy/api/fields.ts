import { badBody } from './api-error.js';

/** The fields of a JSON object as the original reads them: case does not matter, `null` and unknown ones are as if absent. */
export class Fields {
  private readonly values: ReadonlyMap<string, unknown>;

  constructor(value: unknown, where = 'body') {
    if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw badBody(`${where} is not an object`);
    this.values = new Map(
      Object.entries(value ?? {}).flatMap(([name, field]) => (field === null ? [] : [[name.toLowerCase(), field]])),
    );
  }

  string(name: string): string | undefined {
    return this.read(name, 'a string', (value) => typeof value === 'string');
  }

  boolean(name: string): boolean | undefined {
    return this.read(name, 'a boolean', (value) => typeof value === 'boolean');
  }

  /** A probability. */
  share(name: string): number | undefined {
    return this.read(name, 'a number from 0 to 1', isShare);
  }

  /** What can be counted: whole and not negative. */
  count(name: string): number | undefined {
    return this.read(name, 'a whole number of 0 or more', isCount);
  }

  object(name: string): Fields {
    return new Fields(this.values.get(name) ?? null, name);
  }

  private read<T>(name: string, kind: string, isKind: (value: unknown) => value is T): T | undefined {
    const value = this.values.get(name);
    if (value === undefined || isKind(value)) return value;
    throw badBody(`${name} is not ${kind}`);
  }
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
