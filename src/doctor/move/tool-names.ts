/** One thing that several programs have a tool for. */
export type ToolKind = 'shell' | 'read' | 'write' | 'edit' | 'glob' | 'grep' | 'list' | 'search'

/** A tool of a program, and what it calls the arguments that other programs have too. */
export interface NamedTool {
  readonly kind: ToolKind
  readonly name: string
  /** The common name of each argument by its name here. An argument that is not listed means that the call stays as it is. */
  readonly arguments: Readonly<Record<string, ToolArgument>>
  /** All arguments but `path` are in the entries of a list with this name. A call with several entries stays as it is. */
  readonly listed?: string
}

export type ToolArgument =
  | { readonly as: string }
  /** Dropped if the other tool has no such argument: it affects only display or limits. */
  | { readonly as: string; readonly isDetail: true }
  /** The folder that the tool runs in: left out where it is the session's. */
  | { readonly as: 'folder'; readonly isFolder: true }

const as = (name: string): ToolArgument => ({ as: name })
const detail = (name: string): ToolArgument => ({ as: name, isDetail: true })
const folder: ToolArgument = { as: 'folder', isFolder: true }

const lines = { offset: as('offset'), limit: as('limit') }
const search = (name: string): NamedTool => ({ kind: 'search', name, arguments: { query: as('query') } })

const claudeCode: readonly NamedTool[] = [
  {
    kind: 'shell',
    name: 'Bash',
    arguments: { command: as('command'), description: detail('description'), timeout: detail('milliseconds') },
  },
  { kind: 'read', name: 'Read', arguments: { file_path: as('path'), ...lines } },
  { kind: 'write', name: 'Write', arguments: { file_path: as('path'), content: as('content') } },
  {
    kind: 'edit',
    name: 'Edit',
    arguments: { file_path: as('path'), old_string: as('old'), new_string: as('new'), replace_all: as('all') },
  },
  { kind: 'glob', name: 'Glob', arguments: { pattern: as('pattern'), path: as('path') } },
  { kind: 'grep', name: 'Grep', arguments: { pattern: as('pattern'), path: as('path'), glob: as('files') } },
  search('WebSearch'),
]

/** The first tool of a kind is the one that calls of other programs get. */
const codex: readonly NamedTool[] = [
  {
    kind: 'shell',
    name: 'exec_command',
    arguments: {
      cmd: as('command'),
      workdir: folder,
      yield_time_ms: detail('yield'),
      max_output_tokens: detail('output'),
      justification: detail('justification'),
    },
  },
  ...['shell_command', 'shell', 'local_shell', 'container.exec'].map(
    (name): NamedTool => ({
      kind: 'shell',
      name,
      arguments: {
        command: as('command'),
        workdir: folder,
        working_directory: folder,
        timeout_ms: detail('milliseconds'),
        justification: detail('justification'),
        type: detail('type'),
        env: detail('env'),
        user: detail('user'),
      },
    }),
  ),
]

const opencode: readonly NamedTool[] = [
  {
    kind: 'shell',
    name: 'bash',
    arguments: {
      command: as('command'),
      workdir: folder,
      description: detail('description'),
      timeout: detail('milliseconds'),
    },
  },
  { kind: 'read', name: 'read', arguments: { filePath: as('path'), ...lines } },
  { kind: 'write', name: 'write', arguments: { filePath: as('path'), content: as('content') } },
  {
    kind: 'edit',
    name: 'edit',
    arguments: { filePath: as('path'), oldString: as('old'), newString: as('new'), replaceAll: as('all') },
  },
  { kind: 'glob', name: 'glob', arguments: { pattern: as('pattern'), path: as('path') } },
  { kind: 'grep', name: 'grep', arguments: { pattern: as('pattern'), path: as('path'), include: as('files') } },
  { kind: 'list', name: 'list', arguments: { path: as('path') } },
  search('websearch'),
]

const pi: readonly NamedTool[] = [
  { kind: 'shell', name: 'bash', arguments: { command: as('command'), timeout: detail('seconds') } },
  { kind: 'read', name: 'read', arguments: { path: as('path'), ...lines } },
  { kind: 'write', name: 'write', arguments: { path: as('path'), content: as('content') } },
  {
    kind: 'edit',
    name: 'edit',
    arguments: { path: as('path'), oldText: as('old'), newText: as('new') },
    listed: 'edits',
  },
  { kind: 'glob', name: 'find', arguments: { pattern: as('pattern'), path: as('path') } },
  { kind: 'grep', name: 'grep', arguments: { pattern: as('pattern'), path: as('path'), glob: as('files') } },
  { kind: 'list', name: 'ls', arguments: { path: as('path') } },
]

const geminiCli: readonly NamedTool[] = [
  {
    kind: 'shell',
    name: 'run_shell_command',
    arguments: { command: as('command'), dir_path: folder, description: detail('description') },
  },
  { kind: 'read', name: 'read_file', arguments: { file_path: as('path') } },
  { kind: 'write', name: 'write_file', arguments: { file_path: as('path'), content: as('content') } },
  {
    kind: 'edit',
    name: 'replace',
    arguments: {
      file_path: as('path'),
      old_string: as('old'),
      new_string: as('new'),
      allow_multiple: as('all'),
      instruction: detail('description'),
    },
  },
  { kind: 'glob', name: 'glob', arguments: { pattern: as('pattern'), dir_path: as('path') } },
  {
    kind: 'grep',
    name: 'grep_search',
    arguments: { pattern: as('pattern'), dir_path: as('path'), include_pattern: as('files') },
  },
  { kind: 'list', name: 'list_directory', arguments: { dir_path: as('path') } },
  search('google_web_search'),
]

/** By the program, as in `--system`. */
export const toolsOf: Readonly<Record<string, readonly NamedTool[] | undefined>> = {
  'claude-code': claudeCode,
  codex,
  opencode,
  pi,
  'gemini-cli': geminiCli,
}
