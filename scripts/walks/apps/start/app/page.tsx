'use client'

import { useChat } from '@ai-sdk/react'
import { isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { useEffect, useState } from 'react'

export default function Page() {
  const [chat, setChat] = useState<{ id: string; messages: UIMessage[] }>()
  useEffect(() => {
    const id = new URLSearchParams(location.search).get('chat') ?? 'trip'
    void fetch(`/api/chat/${id}`).then(async stored => setChat({ id, messages: await stored.json() }))
  }, [])
  return chat && <Chat {...chat} />
}

function Chat(chat: { id: string; messages: UIMessage[] }) {
  const { messages, status, sendMessage, addToolApprovalResponse } = useChat({
    ...chat,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const [text, setText] = useState('')
  return (
    <main data-status={status}>
      {messages.map(({ id, role, parts }) => (
        <article key={id} data-role={role}>
          <p>{parts.map(part => (part.type === 'text' ? part.text : ''))}</p>
          {parts.filter(isToolUIPart).map(({ toolCallId, type, state, input, approval }) => (
            <section key={toolCallId} data-tool={type.slice('tool-'.length)} data-state={state}>
              {type} {JSON.stringify(input)}: {state}
              {state === 'approval-requested' &&
                [true, false].map(approved => (
                  <button
                    key={String(approved)}
                    type="button"
                    onClick={() => addToolApprovalResponse({ id: approval.id, approved })}
                  >
                    {approved ? 'Approve' : 'Deny'}
                  </button>
                ))}
            </section>
          ))}
        </article>
      ))}
      <textarea value={text} onChange={event => setText(event.target.value)} />
      <button type="button" onClick={() => sendMessage({ text }).then(() => setText(''))}>
        Send
      </button>
    </main>
  )
}
