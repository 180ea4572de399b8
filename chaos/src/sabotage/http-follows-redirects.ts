/** Removes: a redirect is an answer. It is followed to wherever it leads: here, to the recorder's own. */
import { replace } from './replace.js';

interface Request {
  readonly url: URL;
}

type Exchange = (request: Request, ...rest: unknown[]) => Promise<{ readonly status: number }>;

replace(
  'message-table/channels/http/exchange',
  'exchange',
  (original: Exchange): Exchange =>
    async (request, ...rest) => {
      const answer = await original(request, ...rest);
      const isRedirect = answer.status >= 300 && answer.status < 400;
      return isRedirect ? original({ ...request, url: new URL('?moved', request.url) }, ...rest) : answer;
    },
);
