import { GenericContainer } from 'testcontainers';

/** One whose ports are published on 127.0.0.1 only, and that nobody waits for or cleans up but us. */
export class LoopbackContainer extends GenericContainer {
  constructor(
    image: string,
    private readonly onCreated: (id: string) => Promise<void>,
  ) {
    super(image);
    // The stack has a watchdog of its own, so no image of a resource reaper is needed.
    this.withAutoCleanup(false);
    this.withWaitStrategy(AT_ONCE);
  }

  protected override beforeContainerCreated(): Promise<void> {
    const bindings = Object.values((this.hostConfig.PortBindings ?? {}) as Record<string, { HostIp?: string }[]>);
    for (const binding of bindings.flat()) binding.HostIp = '127.0.0.1';
    return Promise.resolve();
  }

  /** After the container was made and before it is started. */
  protected override containerCreated(id: string): Promise<void> {
    return this.onCreated(id);
  }
}

/** A server is ready when it has done its work once, which its own class tries out. */
const AT_ONCE = {
  waitUntilReady: () => Promise.resolve(),
  withStartupTimeout: () => AT_ONCE,
  isStartupTimeoutSet: () => false,
  getStartupTimeout: () => 0,
};
