import { request, type RequestOptions } from 'node:http';

const ANSWER_MS = 5_000;

/**
 * Resolves with the body of a 2xx answer. On a connection of its own: an idle kept one makes the other side wait for it when it shuts down
 * (RabbitMQ's management: five seconds).
 */
export function httpAnswer(url: string, options: RequestOptions = {}): Promise<string> {
  const what = `${options.method ?? 'GET'} ${new URL(url).origin}${new URL(url).pathname}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false, timeout: ANSWER_MS }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(body);
        else reject(new Error(`${what} says ${status}: ${body.slice(0, 500)}`));
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`${what} did not answer within ${ANSWER_MS} ms`)));
    sent.on('error', reject);
    sent.end();
  });
}
