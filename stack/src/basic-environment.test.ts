import { basicEnvironment, tracesEnvironment } from './basic-environment.js';

describe('what a private process inherits', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('when the shell names databases and brokers, then they stay behind', () => {
    process.env['DB_URL'] = 'mysql://somebody';
    process.env['RABBITMQ_NODENAME'] = 'rabbit@somewhere';
    expect(Object.keys(basicEnvironment())).toContain('PATH');
    for (const name of ['DB_URL', 'RABBITMQ_NODENAME']) expect(basicEnvironment()).not.toHaveProperty(name);
  });

  it('when the shell says where traces go, then that is all of it that comes along for them', () => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:4318';
    expect(tracesEnvironment()).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    expect(Object.keys(tracesEnvironment()).filter((name) => !name.startsWith('OTEL_'))).toEqual([]);
  });
});
