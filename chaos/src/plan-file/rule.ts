import { z } from 'zod';

/** One for every field of a type, those that may be left out as well: a new field does not compile without. */
export type RulesOf<Whole> = { readonly [Field in keyof Whole]-?: z.ZodType };

const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `must be ${what}, not ${JSON.stringify(input)}`,
});

const NOT_BELOW_0 = must('a number, not less than 0');
const WHOLE_NUMBER = must('a whole number, not less than 0');
const AN_OBJECT = must('an object');

export const TEXT = z.string(must('a text'));
export const YES_OR_NO = z.boolean(must('true or false'));
export const ABOVE_0 = z.number(must('a number above 0')).positive(must('a number above 0'));
export const NUMBER = z.number(NOT_BELOW_0).nonnegative(NOT_BELOW_0);
export const WHOLE = z.number(WHOLE_NUMBER).int(WHOLE_NUMBER).nonnegative(WHOLE_NUMBER);

export const oneOf = (...words: readonly string[]): z.ZodType => z.enum(words, must(`one of ${words.join(', ')}`));
export const listOf = (rule: z.ZodType): z.ZodType => z.array(rule, must('a list'));
/** Of any names. */
export const tableOf = (rule: z.ZodType): z.ZodType => z.record(z.string(), rule, AN_OBJECT);
/** Other fields may be there as well. */
export const objectOf = (rules: Readonly<Record<string, z.ZodType>>): z.ZodType => z.object(rules, AN_OBJECT);

/** An object of one of several kinds, with the fields of its `kind`. */
export function byKind(fieldsOf: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>): z.ZodType {
  const [first, ...others] = Object.entries(fieldsOf).map(([kind, fields]) =>
    z.object({ kind: z.literal(kind), ...fields }),
  );
  if (first === undefined) throw new Error('There are no kinds');
  const known = must(`one of ${Object.keys(fieldsOf).join(', ')}`);
  const isObject = (input: unknown): input is { readonly kind?: unknown } =>
    typeof input === 'object' && input !== null;
  return z.discriminatedUnion('kind', [first, ...others], {
    error: ({ input }) => (isObject(input) ? known.error({ input: input.kind }) : AN_OBJECT.error({ input })),
  });
}
