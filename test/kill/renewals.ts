/** For tests that wait until the lease was renewed. */
export class Renewals {
  #waiting: (() => void)[] = []

  next(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
