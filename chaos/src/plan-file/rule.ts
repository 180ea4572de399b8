/** What a value has to be. @throws Error that begins with `at`, where the value stands: `load.rate` */
export type Rule = (value: unknown, at: string) => void;

/** One for every field of a type, those that may be left out as well: a new field does not compile without. */
export type RulesOf<Whole> = { readonly [Field in keyof Whole]-?: Rule };

function must(what: string, holds: (value: unknown) => boolean): Rule {
  return (value, at) => {
    if (!holds(value)) throw new Error(`${at === '' ? 'it' : at} must be ${what}, not ${JSON.stringify(value)}`);
  };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

export const TEXT = must('a text', (value) => typeof value === 'string');
export const YES_OR_NO = must('true or false', (value) => typeof value === 'boolean');
export const ABOVE_0 = must('a number above 0', (value) => isNumber(value) && value > 0);
export const NUMBER = must('a number, not less than 0', (value) => isNumber(value) && value >= 0);
export const WHOLE = must('a whole number, not less than 0', (value) => Number.isInteger(value) && Number(value) >= 0);

const LIST = must('a list', Array.isArray);
const OBJECT = must('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value));

export const oneOf = (...words: readonly string[]): Rule =>
  must(`one of ${words.join(', ')}`, (value) => typeof value === 'string' && words.includes(value));

export const orNull = (rule: Rule): Rule => except(null, rule);
export const ifAny = (rule: Rule): Rule => except(undefined, rule);

function except(allowed: unknown, rule: Rule): Rule {
  return (value, at) => {
    if (value !== allowed) rule(value, at);
  };
}

export const listOf =
  (rule: Rule): Rule =>
  (value, at) => {
    LIST(value, at);
    (value as unknown[]).forEach((item, index) => rule(item, `${at}[${String(index)}]`));
  };

/** Of any names. */
export const tableOf =
  (rule: Rule): Rule =>
  (value, at) => {
    OBJECT(value, at);
    for (const [name, item] of Object.entries(value as object)) rule(item, `${at}.${name}`);
  };

/** Other fields may be there as well. */
export const objectOf =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at) => {
    OBJECT(value, at);
    const fields = value as Readonly<Record<string, unknown>>;
    for (const [name, rule] of Object.entries(rules)) rule(fields[name], at === '' ? name : `${at}.${name}`);
  };
