'use client'

import { useChat } from '@ai-sdk/react'
import {
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import type { ChatBranches } from 'antiphon/adapters/ai-sdk'
import { useEffect, useState } from 'react'

export function Chat({ id, initialMessages }: { id: string; initialMessages: UIMessage[] }) {
  const chat = useChat({
    id,
    messages: initialMessages,
    resume: true,
    sendAutomaticallyWhen: chat =>
      lastAssistantMessageIsCompleteWithApprovalResponses(chat) || lastAssistantMessageIsCompleteWithToolCalls(chat),
  })
  const { messages, status, error, sendMessage, regenerate, stop, setMessages, addToolApprovalResponse } = chat
  const [text, setText] = useState('')
  const [edited, setEdited] = useState<string>()
  const versions = useVersions(id, status, messages)

  const send = async () => {
    setText('')
    setEdited(undefined)
    if (edited === undefined) return sendMessage({ text })
    await stop()
    await sendMessage({ text, messageId: edited })
  }
  const edit = (message: UIMessage) => {
    setEdited(message.id)
    setText(textOf(message))
  }

  return (
    <main data-status={status}>
      {messages.map(message => {
        const shown = versions.find(version => version.id === message.id)
        return (
          <article key={message.id} data-role={message.role}>
            <p>{textOf(message)}</p>
            {message.parts.filter(isToolUIPart).map(part => (
              <section key={part.toolCallId} data-tool={getToolName(part)} data-state={part.state}>
                {part.state === 'output-available' && <output>{JSON.stringify(part.output)}</output>}
                {part.state === 'approval-requested' && (
                  <Approval
                    input={part.input}
                    decide={(approved, input) =>
                      addToolApprovalResponse({
                        id: part.approval.id,
                        approved,
                        options: { body: { inputs: { [part.approval.id]: input } } },
                      })
                    }
                  />
                )}
              </section>
            ))}
            {message.role === 'user' && (
              <button type="button" onClick={() => edit(message)}>
                Edit
              </button>
            )}
            {shown && (
              <nav>
                <button type="button" onClick={() => page(id, message.id, -1, setMessages)}>
                  Previous
                </button>
                <span>{`${shown.index + 1}/${shown.branches.length}`}</span>
                <button type="button" onClick={() => page(id, message.id, 1, setMessages)}>
                  Next
                </button>
              </nav>
            )}
          </article>
        )
      })}
      {error && <p role="alert">{error.message}</p>}
      <textarea value={text} onChange={event => setText(event.target.value)} />
      <button type="button" onClick={send}>
        Send
      </button>
      <button type="button" onClick={() => regenerate()}>
        {error ? 'Try again' : 'Regenerate'}
      </button>
      <button type="button" onClick={() => stopAnswer(id, stop)}>
        Stop
      </button>
    </main>
  )
}

interface ApprovalProps {
  input: unknown
  decide(approved: boolean, input: unknown): void
}

/** A person can change the arguments before the call runs. */
function Approval({ input, decide }: ApprovalProps) {
  const [changed, setChanged] = useState(JSON.stringify(input))
  return (
    <>
      <input value={changed} onChange={event => setChanged(event.target.value)} />
      <button type="button" onClick={() => decide(true, JSON.parse(changed))}>
        Approve
      </button>
      <button type="button" onClick={() => decide(false, input)}>
        Deny
      </button>
    </>
  )
}

const textOf = ({ parts }: UIMessage): string => parts.map(part => (part.type === 'text' ? part.text : '')).join('')

/** Which messages have other versions. Asked again when an answer has ended, and when other messages are shown. */
function useVersions(chat: string, status: string, messages: UIMessage[]): ChatBranches['versions'] {
  const [versions, setVersions] = useState<ChatBranches['versions']>([])
  const shown = messages.map(message => message.id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other messages have other versions.
  useEffect(() => {
    if (status !== 'ready') return
    let isCurrent = true
    void fetch(`/api/chat/${chat}/branches`)
      .then(response => response.json() as Promise<ChatBranches>)
      .then(({ versions }) => isCurrent && setVersions(versions))
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [chat, status, shown])
  return versions
}

/** `stop` is that of useChat. An answer that is stopped ends its stream by itself, so that the client shows how it and its calls ended. */
async function stopAnswer(chat: string, stop: () => Promise<void>) {
  const response = await fetch(`/api/chat/${chat}/stream`, { method: 'DELETE' })
  const { isInterrupted } = response.ok
    ? ((await response.json()) as { isInterrupted: boolean })
    : { isInterrupted: false }
  if (!isInterrupted) await stop()
}

/** Shows the version before (-1) or after (1) the one that is shown. `show` is `setMessages` of useChat. */
async function page(chat: string, message: string, by: 1 | -1, show: (messages: UIMessage[]) => void) {
  const { versions } = (await (await fetch(`/api/chat/${chat}/branches`)).json()) as ChatBranches
  const shown = versions.find(({ id }) => id === message)
  const branch = shown?.branches[shown.index + by]
  if (branch === undefined) return
  const response = await fetch(`/api/chat/${chat}?branch=${branch}`, { method: 'PUT' })
  if (response.ok) show((await response.json()) as UIMessage[])
}
