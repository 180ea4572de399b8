import type { Stage, StageContext } from '../data-path/stage.js';
import type { ToxicEffects } from '../effects.js';

export const DIRECTIONS = ['upstream', 'downstream'] as const;

/** 'upstream': what the client sends; 'downstream': what it is answered. */
export type Direction = (typeof DIRECTIONS)[number];

/** Whole numbers, none negative. */
export type Attributes = Readonly<Record<string, number>>;

/** What a type of toxic is. */
export interface ToxicKind {
  readonly defaults: Attributes;
  /** It drops bytes, so a connection must not go on without it. */
  readonly removalCloses: boolean;
  /** Says what is wrong with the attributes, if anything. */
  invalid(attributes: Attributes): string | undefined;
  stage(attributes: Attributes, context: StageContext): Stage;
}

export interface Toxic {
  readonly name: string;
  readonly type: string;
  readonly kind: ToxicKind;
  /** As the client wrote it. */
  readonly stream: string;
  readonly direction: Direction;
  readonly effects: ToxicEffects;
  toxicity: number;
  attributes: Attributes;
  /** Changes with every update, so that the dice fall anew. */
  version: number;
}
