import { noEffects } from '../effects.js';
import type { Toxics } from '../toxics.js';
import { TOXIC_KINDS } from '../toxics/kinds.js';
import { DIRECTIONS, type Attributes, type Direction, type Toxic, type ToxicKind } from '../toxics/toxic.js';
import { ApiError, badBody } from './api-error.js';
import { Fields } from './fields.js';
import { toxicView } from './views.js';

export function findToxic(toxics: Toxics, name: string): Toxic {
  const toxic = toxics.find(name);
  if (!toxic) throw new ApiError(404, 'toxic not found');
  return toxic;
}

export function addToxic(toxics: Toxics, body: unknown): object {
  const fields = new Fields(body);
  const stream = fields.string('stream') ?? 'downstream';
  const direction = directionOf(stream);
  const type = fields.string('type') ?? '';
  const kind = kindOf(type);
  const named = fields.string('name') ?? '';
  const name = named === '' ? `${type}_${stream}` : named;
  const toxicity = fields.share('toxicity') ?? 1;
  if (toxics.find(name)) throw new ApiError(409, 'toxic already exists');
  const attributes = attributesOf(kind, kind.defaults, fields);
  return toxicView(toxics.add({ name, type, kind, stream, direction, toxicity, attributes, effects: noEffects() }));
}

/** What is not given stays as it is; nothing changes when a part of it is wrong. */
export function changeToxic(toxics: Toxics, toxic: Toxic, body: unknown): object {
  const fields = new Fields(body);
  const toxicity = fields.share('toxicity') ?? toxic.toxicity;
  toxics.update(toxic, { toxicity, attributes: attributesOf(toxic.kind, toxic.attributes, fields) });
  return toxicView(toxic);
}

function directionOf(stream: string): Direction {
  const direction = DIRECTIONS.find((known) => known === stream.toLowerCase());
  if (direction) return direction;
  throw new ApiError(400, 'stream was invalid, can be either upstream or downstream');
}

function kindOf(type: string): ToxicKind {
  const kind = TOXIC_KINDS.get(type);
  if (!kind) throw new ApiError(400, 'invalid toxic type');
  return kind;
}

function attributesOf(kind: ToxicKind, present: Attributes, fields: Fields): Attributes {
  const given = fields.object('attributes');
  const attributes = Object.fromEntries(
    Object.entries(present).map(([name, value]) => [name, given.count(name) ?? value]),
  );
  const wrong = kind.invalid(attributes);
  if (wrong !== undefined) throw badBody(wrong);
  return attributes;
}
