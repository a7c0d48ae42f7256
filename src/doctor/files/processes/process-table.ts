/** A process that runs, as far as the operating system shows it. A zombie does not run. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** The numeric id of its user, where users have one. */
  readonly user?: number
  /** When it started, in the operating system's own unit. */
  readonly start?: string
  /**
   * What it may be known by: the name that it gave itself, its program file and, where a runtime such as node or python runs a
   * script or a module, that too.
   */
  readonly names: readonly string[]
  /** Its working directory; undefined if it is not shown. */
  readonly folder?: string
  /** Whether its open files are shown. */
  readonly isReadable: boolean
}

/** The processes that run at one moment. */
export interface ProcessTable {
  /** All but this one. */
  readonly processes: readonly RunningProcess[]
  /** Whether a file that this process has open too can be asked about. */
  readonly tellsHandles: boolean
  /** The other processes that have one of these files open for writing, or any file in one of them that ends in `/`. 0 stands for a process without a known number. */
  writersOf(files: Iterable<string>): readonly number[]
}
