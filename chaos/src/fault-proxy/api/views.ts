import type { Proxy } from '../proxy.js';
import type { Toxic } from '../toxics/toxic.js';

export const toxicView = ({ attributes, name, type, stream, toxicity }: Toxic): object => ({
  attributes,
  name,
  type,
  stream,
  toxicity,
});

export const proxyView = ({ name, listen, upstream, isEnabled, toxics }: Proxy): object => ({
  name,
  listen,
  upstream,
  enabled: isEnabled,
  toxics: toxics.listed.map(toxicView),
});
