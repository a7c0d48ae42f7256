/**
 * How many cases, and where to begin: `ANTIPHON_FUZZ_RUNS` and `ANTIPHON_FUZZ_SEED` say it. Without a seed every run begins somewhere
 * else. A failure prints its seed: begin there with one run, and it comes again.
 */
export function fuzzRuns(runsByDefault: number): { readonly runs: number; readonly first: number } {
  const runs = Number(process.env.ANTIPHON_FUZZ_RUNS ?? runsByDefault)
  return { runs, first: Number(process.env.ANTIPHON_FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000_000)) }
}

/** What a process must not come to, whatever it is given. */
export function watchProcess(): { readonly faults: string[]; stop(): void } {
  const faults: string[] = []
  const note = (error: unknown): void => {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  process.on('unhandledRejection', note).on('uncaughtException', note)
  return {
    faults,
    stop: () => void process.off('unhandledRejection', note).off('uncaughtException', note),
  }
}

/** Words of an error that its writer did not choose: those of the language itself. */
export const isRaw = (message: string): boolean =>
  /Cannot (read|set|convert|destructure|mix|access)|is not (a function|iterable|defined|valid JSON|a constructor)|Unexpected (token|end|non-white|number|string)|Invalid (array|string|time|count|regular)|(undefined|null) \(|JSON at position|Converting circular|must be of type|call stack|Expected .* in JSON|Bad control character|Do not know how to serialize|out of range/.test(
    message,
  )
