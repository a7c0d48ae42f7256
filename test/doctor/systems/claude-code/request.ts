/**
 * What Claude Code sends when a session is resumed and the user continues, read from the file as its loader does it:
 * the chain of parents from the newest leaf, the parallel calls and results that are attached next to the chain, then
 * one message for each run. It models a version that repairs nothing: no result is made up, no call is left out.
 */
export interface ResumedRequest {
  file: string
  messages: Message[]
}

export interface Message {
  role: 'user' | 'assistant'
  content: Block[]
}

type Json = Record<string, unknown>
type Block = Json
type Node = Json & { uuid: string; parentUuid: string | null; at: number }

export function requestsOf(files: ReadonlyMap<string, Buffer>): ResumedRequest[] {
  return [...files]
    .filter(([file]) => file.endsWith('.jsonl'))
    .map(([file, bytes]) => ({ file, messages: requestOf(bytes, /(^|\/)agent-[^/]*$/.test(file)) }))
}

/**
 * The messages of one file; none if there is nothing to resume. Versions that did not write the task of an agent down had
 * its first words without a parent, and knew the task from elsewhere.
 */
export function requestOf(bytes: Buffer, isAgent = false): Message[] {
  const nodes = load(bytes, isAgent)
  relinkPreserved(nodes)
  const leaf = newestLeaf(nodes)
  if (!leaf) return []
  const chain = withSiblings(chainTo(leaf, nodes), nodes)
  const said = compose(withoutHusks(chain))
  if (isAgent && said[0]?.role === 'assistant' && chain[0].parentUuid === null)
    said.unshift({ role: 'user', content: [{ type: 'text', text: 'The task of the agent.' }] })
  return merge([...said, { role: 'user', content: [{ type: 'text', text: 'Go on.' }] }])
}

/** The record that the session continues from. */
export function leafOf(bytes: Buffer, isAgent = false): unknown {
  const nodes = load(bytes, isAgent)
  relinkPreserved(nodes)
  return newestLeaf(nodes)?.uuid
}

/** The nodes of one lane by their uuid. A later line with the same uuid replaces the earlier one. */
function load(bytes: Buffer, isAgent: boolean): Map<string, Node> {
  const nodes = new Map<string, Node>()
  bytes
    .toString('utf8')
    .split('\n')
    .forEach((line, at) => {
      const value = parse(line)
      if (!value || !linked.has(String(value.type)) || typeof value.uuid !== 'string') return
      if ((value.isSidechain === true) !== isAgent) return
      const parentUuid = typeof value.parentUuid === 'string' ? value.parentUuid : null
      nodes.set(value.uuid, { ...value, uuid: value.uuid, parentUuid, at })
    })
  return nodes
}

const linked = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A compaction that keeps its last messages names them: they are attached after the summary, and what followed it after
 * them.
 */
function relinkPreserved(nodes: Map<string, Node>): void {
  const boundary = [...nodes.values()].filter(isBoundary).at(-1)
  const metadata = boundary && isObject(boundary.compactMetadata) ? boundary.compactMetadata : {}
  const kept = preserved(metadata, nodes)
  if (!kept) return
  const { anchor, uuids } = kept
  const last = uuids.at(-1) ?? anchor
  for (const node of nodes.values()) if (node.parentUuid === anchor) node.parentUuid = last
  uuids.forEach((uuid, index) => {
    const node = nodes.get(uuid)
    if (node) node.parentUuid = index === 0 ? anchor : uuids[index - 1]
  })
}

const isBoundary = (node: Node): boolean => node.type === 'system' && node.subtype === 'compact_boundary'

function preserved(metadata: Json, nodes: Map<string, Node>): { anchor: string; uuids: string[] } | undefined {
  const { preservedMessages: list, preservedSegment: segment } = metadata
  if (isObject(list) && typeof list.anchorUuid === 'string' && Array.isArray(list.uuids)) {
    const uuids = list.uuids.map(String)
    return nodes.has(list.anchorUuid) && uuids.every(uuid => nodes.has(uuid))
      ? { anchor: list.anchorUuid, uuids }
      : undefined
  }
  if (!isObject(segment) || !nodes.has(String(segment.anchorUuid))) return undefined
  const uuids: string[] = []
  for (let uuid: string | null = String(segment.tailUuid); uuid !== null; ) {
    const node: Node | undefined = nodes.get(uuid)
    if (!node || uuids.includes(uuid)) return undefined
    uuids.unshift(uuid)
    if (uuid === segment.headUuid) return { anchor: String(segment.anchorUuid), uuids }
    uuid = node.parentUuid
  }
  return undefined
}

/** Of all leaf nodes, or the last nodes with content before them, the latest by its time stamp. */
function newestLeaf(nodes: Map<string, Node>): Node | undefined {
  const parents = new Set([...nodes.values()].map(({ parentUuid }) => parentUuid))
  let newest: Node | undefined
  for (const tip of nodes.values()) {
    if (parents.has(tip.uuid)) continue
    const seen = new Set<string>()
    let node: Node | undefined = tip
    while (node && !isSpoken(node) && !seen.has(node.uuid)) {
      seen.add(node.uuid)
      node = nodes.get(node.parentUuid ?? '')
    }
    if (node && isSpoken(node) && (!newest || timeOf(node) >= timeOf(newest))) newest = node
  }
  return newest
}

const isSpoken = ({ type }: Node): boolean => type === 'user' || type === 'assistant'
const timeOf = (node: Node): number => Date.parse(String(node.timestamp)) || 0

function chainTo(leaf: Node, nodes: Map<string, Node>): Node[] {
  const chain = new Set<Node>()
  for (let node: Node | undefined = leaf; node && !chain.has(node); node = nodes.get(node.parentUuid ?? ''))
    chain.add(node)
  return [...chain].reverse()
}

/**
 * Parallel calls of one response, and their results, are attached next to the chain: they are inserted after its last
 * call there.
 */
function withSiblings(chain: Node[], nodes: Map<string, Node>): Node[] {
  const onChain = new Set(chain)
  const lastOf = new Map(chain.flatMap(node => (responseOf(node) ? [[responseOf(node), node] as const] : [])))
  const behind = new Map<Node, Node[]>()
  for (const [id, last] of lastOf) {
    const group = [...nodes.values()].filter(node => responseOf(node) === id)
    const uuids = new Set(group.map(({ uuid }) => uuid))
    const results = [...nodes.values()].filter(
      node => node.type === 'user' && uuids.has(node.parentUuid ?? '') && blocksOf(node).some(isResult),
    )
    const missed = [...group, ...results].filter(node => !onChain.has(node))
    if (missed.length > 0) behind.set(last, missed)
  }
  return chain.flatMap(node => [node, ...(behind.get(node) ?? [])])
}

const responseOf = (node: Node): string | undefined => {
  const message = isObject(node.message) ? node.message : {}
  return node.type === 'assistant' && typeof message.id === 'string' ? message.id : undefined
}

/** Leaves out responses of which nothing but thinking or white space was written. */
function withoutHusks(chain: Node[]): Node[] {
  const spoken = new Set(chain.filter(node => !blocksOf(node).every(isThinking)).map(responseOf))
  return chain.filter(
    node =>
      node.type !== 'assistant' || (spoken.has(responseOf(node)) && !blocksOf(node).every(block => isBlank(block))),
  )
}

const isThinking = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking'
const isBlank = ({ type, text }: Block): boolean => type === 'text' && String(text).trim() === ''
const isResult = ({ type }: Block): boolean => type === 'tool_result'

/**
 * The content of each node for the model. Errors of the API, progress and most notes of the system are not for the
 * model.
 */
function compose(chain: Node[]): (Message & { id?: string })[] {
  return chain.flatMap((node): (Message & { id?: string })[] => {
    if (node.type === 'assistant') {
      if (node.isApiErrorMessage === true) return []
      const id = responseOf(node)
      return [{ role: 'assistant', content: blocksOf(node), ...(id && { id }) }]
    }
    if (node.type === 'user') return [{ role: 'user', content: blocksOf(node) }]
    if (node.type === 'attachment') return [reminder(JSON.stringify(node.attachment))]
    if (node.type === 'system' && node.subtype === 'local_command') return [reminder(String(node.content))]
    return []
  })
}

const reminder = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text: `<system-reminder>${text}</system-reminder>` }],
})

function blocksOf(node: Node): Block[] {
  const content = isObject(node.message) ? node.message.content : undefined
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** One message for each run of the user, results first; the blocks of one response together, over its results. */
function merge(said: (Message & { id?: string })[]): Message[] {
  const merged: (Message & { id?: string })[] = []
  for (const message of said) {
    const home = message.role === 'user' ? userRun(merged) : sameResponse(merged, message.id)
    if (home) home.content = [...home.content, ...message.content]
    else merged.push({ ...message })
  }
  return merged.map(({ role, content }) => ({
    role,
    content: role === 'user' ? [...content.filter(isResult), ...content.filter(block => !isResult(block))] : content,
  }))
}

const userRun = (merged: Message[]): Message | undefined => (merged.at(-1)?.role === 'user' ? merged.at(-1) : undefined)

function sameResponse(merged: (Message & { id?: string })[], id: string | undefined): Message | undefined {
  if (id === undefined) return undefined
  for (const earlier of merged.toReversed()) {
    if (earlier.role === 'assistant' && earlier.id === id) return earlier
    if (earlier.role === 'user' && !earlier.content.some(isResult)) return undefined
  }
  return undefined
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
