import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { importPeer } from '../subject.ts'
import { type Completion, scriptOf } from './script.ts'

/** The same conversation as LangGraph keeps it: a graph of a model and a tool, with its SqliteSaver and `durability: 'sync'`. */
export interface Graph {
  /** Plays the turn of that number on a thread. */
  play(thread: string, number: number): Promise<void>
  /** Brings everything into the main file. */
  checkpoint(): void
  close(): void
}

export async function openGraph(file: string): Promise<Graph> {
  const { StateGraph, MessagesAnnotation } = await importPeer<GraphModule>('@langchain/langgraph')
  const { SqliteSaver } = await importPeer<SaverModule>('@langchain/langgraph-checkpoint-sqlite')
  const messages = await importPeer<MessagesModule>('@langchain/core/messages')
  const database = new Database(file)
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', (state: State) => ({ messages: [answer(messages, state)] }))
    .addNode('tools', (state: State) => ({ messages: [result(messages, state)] }))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', (state: State) => (callOf(state) ? 'tools' : '__end__'))
    .addEdge('tools', 'model')
    .compile({ checkpointer: new SqliteSaver(database) })
  return {
    async play(thread, number) {
      const input = new messages.HumanMessage(scriptOf(number).input)
      const options = { configurable: { thread_id: thread }, durability: 'sync' }
      const outcome = await graph.invoke({ messages: [input] }, options)
      if (outcome.messages.length !== number * 6) throw new Error(`LangGraph has ${outcome.messages.length} messages`)
    },
    checkpoint: () => database.pragma('wal_checkpoint(TRUNCATE)'),
    close: () => database.close(),
  }
}

/**
 * What SqliteSaver uses of better-sqlite3, on the SQLite of Node: nothing has to be compiled, and both journals run on the
 * same library. `synchronous` is what better-sqlite3 is built with: after a loss of power the last commits may be missing.
 */
class Database {
  readonly #database: DatabaseSync

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.pragma('synchronous = NORMAL')
  }

  pragma(text: string): void {
    this.#database.prepare(`PRAGMA ${text}`).all()
  }

  exec(text: string): void {
    this.#database.exec(text)
  }

  prepare(text: string) {
    const statement = this.#database.prepare(text)
    return {
      get: (...values: Value[]) => statement.get(...values.map(bound)),
      all: (...values: Value[]) => statement.all(...values.map(bound)),
      run: (...values: Value[]) => statement.run(...values.map(bound)),
    }
  }

  transaction<Arguments extends unknown[]>(work: (...values: Arguments) => void): (...values: Arguments) => void {
    return (...values) => {
      this.exec('BEGIN')
      work(...values)
      this.exec('COMMIT')
    }
  }

  close(): void {
    this.#database.close()
  }
}

type Value = SQLInputValue | undefined

const bound = (value: Value): SQLInputValue => value ?? null

interface State {
  messages: Message[]
}

interface Message {
  tool_calls?: { id: string; name: string }[]
}

/** Where the conversation stands is seen from its length: six messages a turn. */
const placeOf = ({ messages }: State) => {
  const said = messages.length - 1
  return { script: scriptOf(Math.floor(said / 6) + 1), step: (said % 6) >> 1 }
}

function answer({ AIMessage }: MessagesModule, state: State): Message {
  const { script, step } = placeOf(state)
  const { choices, usage } = script.responses[step] as Completion
  const { content, tool_calls = [] } = choices[0].message
  return new AIMessage({
    content,
    tool_calls: tool_calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args: JSON.parse(args) })),
    usage_metadata: {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
    },
  })
}

function result({ ToolMessage }: MessagesModule, state: State): Message {
  const { script, step } = placeOf(state)
  return new ToolMessage({ content: script.outputs[step], tool_call_id: callOf(state)?.id })
}

const callOf = ({ messages }: State) => messages.at(-1)?.tool_calls?.[0]

interface GraphModule {
  MessagesAnnotation: unknown
  StateGraph: new (annotation: unknown) => Builder
}

interface Builder {
  addNode(name: string, node: (state: State) => State): Builder
  addEdge(from: string, to: string): Builder
  addConditionalEdges(from: string, choose: (state: State) => string): Builder
  compile(options: { checkpointer: unknown }): { invoke(input: State, options: object): Promise<State> }
}

interface SaverModule {
  SqliteSaver: new (database: Database) => unknown
}

interface MessagesModule {
  HumanMessage: new (content: string) => Message
  AIMessage: new (fields: object) => Message
  ToolMessage: new (fields: object) => Message
}
