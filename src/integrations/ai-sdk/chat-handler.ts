import { assertAmounts } from '../../core/assert-options.ts'
import { AntiphonError } from '../../core/errors.ts'
import { warn } from '../../heal/warn.ts'
import { parentOf } from '../../journal/agents/child-name.ts'
import type { Journal, OpenCall, Thread } from '../../journal/index.ts'
import { notify } from '../fetch/notify.ts'
import { crossSiteHint, crossSiteText, isCrossSiteForm } from '../is-cross-site-form.ts'
import type { ShownQuestion } from './agents/question-chunks.ts'
import type { AnswerStream } from './answer-stream.ts'
import { ChatFold } from './chat-fold.ts'
import type { ChatHandlerOptions, ModelTools } from './chat-options.ts'
import { type ChatDecision, type ChatRequest, readChatRequest } from './chat-request.ts'
import { chatResponse, problemResponse } from './chat-response.ts'
import { type AnswerTarget, chatStream } from './chat-stream.ts'
import { type ChatTools, changedInput, journalTools, modelTools } from './chat-tools.ts'
import { type LatestAnswer, latestAnswer } from './latest-answer.ts'
import { LiveRun } from './live-run.ts'
import { loadBranches, loadChat, loadUIMessages, switchBranch } from './load-ui-messages.ts'
import { LostFiles } from './lost-files.ts'
import { messagesForModel } from './messages-for-model.ts'
import { isWaiting, readLatestTurn, type StoredThread } from './read-thread.ts'
import { recent } from './recent.ts'
import { submitMessage } from './submit-message.ts'

/**
 * A request handler for `useChat` on a journal. POST submits a message, or answers a waiting call, and streams the answer;
 * GET `.../ID/stream` resumes a stream, and is empty if no answer is in progress; DELETE `.../ID/stream` stops it; GET
 * `.../ID` returns the messages. A message with a known id is the same message, however often it is sent. An edited message, and one
 * that is to be answered again, begin a branch: GET `.../ID/branches` lists them, GET `.../ID?branch=N` returns the messages of
 * one, and PUT `.../ID?branch=N` makes it the current one.
 */
export function chatHandler<Declared extends ChatTools = ChatTools>(
  journal: Journal,
  options: ChatHandlerOptions<Declared>,
): (request: Request) => Promise<Response> {
  const {
    onError = warn,
    errorText = () => 'An error occurred.',
    takeOverMs = 20_000,
    maxSteps,
    agentLimits,
    compact,
    model,
  } = options
  const { unreadMs = 30_000 } = options
  assertAmounts({ unreadMs, takeOverMs })
  const tools = options.tools ?? ({} as Declared)
  const declared = modelTools(tools) as ModelTools<Declared>
  const running = new Map<string, LiveRun>()
  const reportError = (error: unknown): void => notify(onError, error)

  const threadOf = recent(id => journal.thread(id, { for: 'lenient', ...options.thread, format: 'ai-sdk' }))

  const lostIn = recent(id => new LostFiles(journal.store, id))

  /** The thread in the format of chat messages. */
  const chatThread = (id: string): Thread => journal.thread(id, { for: 'lenient', format: 'ai-sdk-ui' })

  /** Continues a thread, in one run at a time. */
  function continueThread(thread: Thread): LiveRun {
    const known = running.get(thread.name)
    if (known && !known.isOver) {
      known.checkAgain()
      return known
    }
    const forModel = async (messages: never[]): Promise<never[]> =>
      messagesForModel(messages, tools, reportError, await lostIn(thread.name).read())
    const live = new LiveRun(thread, {
      model: async request => model({ ...request, messages: await forModel(request.messages), tools: declared }),
      ...(compact && {
        compact: {
          ...compact,
          summarize: async request => compact.summarize({ ...request, messages: await forModel(request.messages) }),
        },
      }),
      tools: journalTools(tools),
      waitMs: takeOverMs,
      onError: reportError,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(agentLimits && { agentLimits }),
    })
    running.set(thread.name, live)
    const done = live.done.catch(reportError).finally(() => {
      if (running.get(thread.name) === live) running.delete(thread.name)
    })
    options.waitUntil?.(done)
    return live
  }

  function stream(thread: Thread, wanted: AnswerTarget): Response {
    const goOn = (): LiveRun => continueThread(thread)
    const live = goOn()
    const leaving = new AbortController()
    let answerStream: AnswerStream | undefined
    const onAnswer = (answer: AnswerStream): void => {
      answerStream = answer
    }
    const { store } = journal
    const { signal } = leaving
    const chunks = chatStream({ store, thread, live, goOn, errorText, signal, onAnswer, ...wanted })
    return chatResponse(chunks, {
      unreadMs,
      onError: reportError,
      onCancel() {
        leaving.abort()
        const { turn } = answerStream ?? {}
        // A client that still waits for its answer must not stop the answer to another input.
        if (options.onDisconnect === 'stop' && turn !== undefined)
          thread.interrupt('the client went away', { turn }).catch(reportError)
      },
    })
  }

  async function post(request: ChatRequest): Promise<Response> {
    const { id, message, decisions, outputs } = request
    const thread = threadOf(id)
    const isOnlyMessage = message && decisions.length === 0 && outputs.length === 0
    const stored = isOnlyMessage ? undefined : await readLatestTurn(journal.store, id)
    const decided = stored === undefined ? undecided : await decide(thread, stored, request)
    if (!message) return stream(thread, await unseenAnswer(thread, stored && latestAnswer(stored), request, decided))
    const { whenBusy = decided.isDecided ? 'steer' : 'queue' } = options
    // An agent whose question was just decided must not be ended by the message that came with the decision.
    const whenApproving = decided.isOfAgent ? 'queue' : (options.whenApproving ?? 'deny')
    const chat = chatThread(id)
    return stream(
      thread,
      await submitMessage({ journal, chat, request, message, options: { whenApproving, whenBusy } }),
    )
  }

  /**
   * Answers waiting calls, also those of agents. A decision for a call that does not wait for an approval is ignored, and so is an output for
   * a call that does not wait for a result.
   */
  async function decide(thread: Thread, stored: StoredThread, request: ChatRequest): Promise<Decided> {
    const { decisions, outputs, approvals } = request
    const fold = new ChatFold(stored.uid)
    for (const entry of stored.entries) fold.push(entry)
    const { calls } = fold
    const open = new Map((await thread.openCalls({ deep: true })).map(call => [call.id, call]))
    const answers = new Map<string, ChatDecision>()
    for (const decision of decisions) {
      const { approvalId: id } = decision
      // The first answer to a call counts, however often the request has it.
      if (open.get(id)?.parked?.why === 'approval' && !answers.has(id)) answers.set(id, decision)
    }
    // All inputs are validated before anything is decided.
    const given = await Promise.all(
      [...answers.values()].map(async ({ approvalId, approved, input, ...answer }) => {
        if (!approved || input === undefined) return { approvalId, approved, ...answer }
        return { approvalId, approved, ...answer, input: await changedInput(tools, namesOf(approvalId, open), input) }
      }),
    )
    for (const { approvalId, approved, ...answer } of given)
      await (approved ? thread.approve(approvalId, answer) : thread.deny(approvalId, answer.reason))
    const isOfAgent = given.some(({ approvalId }) => agentCallOf(open.get(approvalId)) !== undefined)
    const shown = approvals.flatMap((id): ShownQuestion[] => {
      const agentCall = agentCallOf(open.get(id))
      return agentCall === undefined ? [] : [{ id, agentCall }]
    })
    let isDecided = given.length > 0
    for (const { toolCallId, output, isError } of outputs) {
      const call = calls.get(toolCallId)
      if (call === undefined || open.get(call)?.parked?.why !== 'outside') continue
      open.delete(call)
      await thread.settle(call, output ?? null, { error: isError })
      isDecided = true
    }
    return { isDecided, isOfAgent, shown }
  }

  /**
   * The part of the answer that the client has not seen. Throws if there is none: clients resend a message as long as it
   * looks unfinished, and an empty answer would leave it so.
   */
  async function unseenAnswer(
    thread: Thread,
    latest: LatestAnswer | undefined,
    { id, answer }: ChatRequest,
    { isDecided, shown }: Decided,
  ): Promise<AnswerTarget> {
    const hasNews = async (): Promise<boolean> =>
      latest?.hasEnded || (await thread.status()).state === 'running' || thread.agents.areWorking()
    if (latest && (isDecided || (latest.id === answer && (await hasNews())))) return { ...latest, shown }
    throw new AntiphonError('nothing-waiting', `no call of chat ${id} is waiting for this answer`, {
      hint: 'load the messages of the chat again: the call may have been answered elsewhere or stopped',
    })
  }

  /** Reading a thread creates it, and anyone may ask for any id. */
  const isUnknown = async (id: string): Promise<boolean> => (await journal.store.find(id)) === undefined

  async function resume(id: string): Promise<Response> {
    if (await isUnknown(id)) return new Response(null, { status: 204 })
    const thread = threadOf(id)
    const { state, branch } = await thread.status()
    // A call may have been decided, and not run, before the process that was to run it crashed.
    const isParked = state === 'parked' && (await isWaiting(journal.store, id)) && !(await thread.agents.areWorking())
    if (state === 'idle' || isParked) return new Response(null, { status: 204 })
    const next = branch === undefined ? undefined : (await loadChat(journal, id)).answerAfterSwitch
    if (next) return stream(thread, next)
    const stored = state === 'waiting' ? undefined : await readLatestTurn(journal.store, id)
    const { input, since } = (stored && latestAnswer(stored)) ?? {}
    return stream(thread, input === undefined || since === undefined ? {} : { input, since })
  }

  async function stop(id: string): Promise<Response> {
    if (await isUnknown(id)) return Response.json({ isInterrupted: false })
    const thread = threadOf(id)
    const isInterrupted = await interruptAnswer(thread)
    // Its owner may be gone: then this process ends the turn.
    if (isInterrupted) continueThread(thread)
    return Response.json({ isInterrupted })
  }

  /** Interrupts the answer in progress. If a message that was just sent still waits for its answer, that answer is interrupted as soon as it begins. */
  async function interruptAnswer(thread: Thread): Promise<boolean> {
    const interrupt = async (): Promise<boolean> => (await thread.interrupt('the user pressed stop')).isInterrupted
    let begin = (): void => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const unsubscribe = thread.listen(entries => {
      if (entries.some(({ kind }) => kind === 'turn-start')) begin()
    })
    try {
      if (await interrupt()) return true
      if ((await thread.status()).state !== 'waiting') return false
      await Promise.race([begun, continueThread(thread).done])
      return await interrupt()
    } finally {
      unsubscribe()
    }
  }

  async function answerPost(request: Request): Promise<Response> {
    const chatRequest = readChatRequest(await bodyOf(request))
    return (await accessProblem(request, chatRequest.id)) ?? post(chatRequest)
  }

  /** Answers a request whose chat is named by the URL. */
  async function answerUrl(request: Request): Promise<Response> {
    const { method, url } = request
    const { id, isStream, isBranches } = placeOf(url)
    const branch = branchOf(url)
    const problem = await accessProblem(request, id)
    if (problem) return problem
    if (method === 'GET' && isStream) return resume(id)
    if (method === 'GET' && isBranches) return Response.json(await loadBranches(journal, id, branch))
    if (method === 'GET') return Response.json(await loadUIMessages(journal, id, branch))
    if (method === 'DELETE' && isStream) return stop(id)
    if (method !== 'PUT' || !branch)
      return new Response(null, { status: 405, headers: { allow: 'GET, POST, PUT, DELETE' } })
    await switchBranch(journal, id, branch.branch)
    return Response.json(await loadUIMessages(journal, id, branch))
  }

  /** The answer to a request that is not authorized. Throws if the chat is the thread of an agent. */
  async function accessProblem(request: Request, id: string): Promise<Response | undefined> {
    // A check that returns nothing counts as no: it probably lacks a `return`.
    if (options.authorize && !(await options.authorize(request, id))) return new Response(null, { status: 403 })
    if (parentOf(id)) throw agentsThread(id)
    return undefined
  }

  return async request => {
    try {
      if (isCrossSiteForm(request)) throw new AntiphonError('bad-request', crossSiteText, { hint: crossSiteHint })
      return await (request.method === 'POST' ? answerPost(request) : answerUrl(request))
    } catch (error) {
      const response = problemResponse(error)
      if (response.status === 500) reportError(error)
      return response
    }
  }
}

/** What a request has decided. */
interface Decided {
  readonly isDecided: boolean
  /** A question of an agent was decided. */
  readonly isOfAgent: boolean
  /** The questions of agents that the client has. */
  readonly shown: readonly ShownQuestion[]
}

const undecided: Decided = { isDecided: false, isOfAgent: false, shown: [] }

/** The call of the chat whose agent made a call; undefined if the chat itself made it. */
const agentCallOf = (call: OpenCall | undefined): string | undefined => call?.path?.[0]

/** The names of the tools that lead to an open call, and its own. */
const namesOf = (id: string, open: ReadonlyMap<string, OpenCall>): string[] =>
  [...(open.get(id)?.path ?? []), id].map(call => open.get(call)?.name ?? '')

/** The thread of an agent gets its input from the thread that called it. A message of a client would change the result of that call. */
const agentsThread = (id: string): AntiphonError =>
  new AntiphonError('unknown-thread', `${id} is the thread of an agent, not a chat`, {
    hint: 'names of this form are reserved for agents; use another name',
  })

async function bodyOf(request: Request): Promise<unknown> {
  return request.json().catch(() => undefined)
}

/** The chat that a URL names: `.../ID`, `.../ID/stream` or `.../ID/branches`. */
function placeOf(url: string): { id: string; isStream: boolean; isBranches: boolean } {
  const parts = new URL(url).pathname.split('/').filter(part => part !== '')
  const [isStream, isBranches] = [parts.at(-1) === 'stream', parts.at(-1) === 'branches']
  return { id: decoded(parts.at(isStream || isBranches ? -2 : -1) ?? ''), isStream, isBranches }
}

/** The branch that a URL names with `?branch=N`. */
function branchOf(url: string): { branch: number } | undefined {
  const text = new URL(url).searchParams.get('branch')
  if (text === null) return undefined
  if (/^[1-9]\d{0,9}$/.test(text)) return { branch: Number(text) }
  throw new AntiphonError('bad-request', `branch must be a positive integer, got ${JSON.stringify(text)}`, {
    hint: 'use a number that GET .../ID/branches lists',
  })
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new AntiphonError('invalid-name', 'the chat id in the URL cannot be decoded', {
      hint: 'encode it with encodeURIComponent',
    })
  }
}
