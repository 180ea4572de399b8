type Undo = () => Promise<void>;

/** Faults whose injection or healing failed half-way, and which may still be in force. */
export class Unhealed {
  private readonly left = new Map<string, readonly Undo[]>();

  /** Takes a fault back at once; what is in the way now (a server that is away as well) need not be there in the end. */
  async undo(fault: string, undos: readonly Undo[]): Promise<void> {
    await undoAll(undos).catch(() => this.left.set(fault, undos));
  }

  /** @throws when one stays in force: what it breaks from now on is not the product's doing, and nobody could tell */
  async undoRest(): Promise<void> {
    for (const [fault, undos] of this.left) {
      await undoAll(undos).catch((error: unknown) => {
        throw new Error(`${fault} could not be healed: ${String(error)}`, { cause: error });
      });
      this.left.delete(fault);
    }
  }
}

async function undoAll(undos: readonly Undo[]): Promise<void> {
  for (const undo of undos) await undo();
}
