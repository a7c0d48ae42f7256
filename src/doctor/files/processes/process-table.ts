/** A running process, as far as the operating system shows it. A zombie is not running. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** The numeric id of its user, where users have one. */
  readonly user?: number
  /** When it started, in the operating system's unit. */
  readonly start?: string
  /**
   * The names by which it can be recognised: the name that it set, its program file and, for a runtime such as node or
   * python, its script or module.
   */
  readonly names: readonly string[]
  /** Its working directory; undefined if it is not visible. */
  readonly folder?: string
  /** Whether its open files are visible. */
  readonly isReadable: boolean
}

/** The processes that are running at one moment. */
export interface ProcessTable {
  /** All except this process. */
  readonly processes: readonly RunningProcess[]
  /** Whether other processes are visible that have a file open which this process has open too. */
  readonly tellsHandles: boolean
  /** A file that was open before it lost its name is told from the one that has the name now. */
  readonly tellsVersions?: true
  /**
   * The other processes that have one of these files open for writing, or any file below one of them that ends in `/`.
   * 0 is a process with an unknown id.
   */
  writersOf(files: Iterable<string>): readonly number[]
}
