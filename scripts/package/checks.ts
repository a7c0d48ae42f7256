/** What is said of one check: nothing but its name if it holds, else why it does not. */
export class Checks {
  #failed = 0
  #held = 0

  /** Runs one check and prints one line about it. What it returns is printed after its name; what it throws is the reason of the failure. */
  async add(name: string, work: () => unknown): Promise<void> {
    try {
      const told = await work()
      this.#held++
      console.log(`ok    ${name}${typeof told === 'string' && told !== '' ? `: ${told}` : ''}`)
    } catch (error) {
      this.#failed++
      console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Said of what could not be looked at here. It is neither a failure nor a success. */
  unknown(name: string, why: string): void {
    console.log(`?     ${name}: ${why}`)
  }

  /** The last line. True if nothing failed. */
  end(): boolean {
    console.log(`\n${this.#held} checks hold, ${this.#failed} do not`)
    return this.#failed === 0
  }
}

/** Fails a check in words. */
export function must(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Error(why)
}
