import { CopilotChat, CopilotKit, useFrontendTool, useInterrupt } from '@copilotkit/react-core/v2'
import '@copilotkit/react-core/v2/styles.css'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'

function Chat() {
  const [color, setColor] = useState('white')
  useFrontendTool({
    name: 'paint',
    description: 'Paints the page.',
    parameters: z.object({ color: z.string() }),
    async handler({ color }) {
      setColor(color)
      return `painted ${color}`
    },
  })
  useInterrupt({
    render: ({ interrupt, resolve }) => (
      <fieldset>
        <legend>{interrupt?.message}</legend>
        <button type="button" onClick={() => resolve({ approved: true })}>
          Approve
        </button>
        <button type="button" onClick={() => resolve({ approved: false })}>
          Deny
        </button>
      </fieldset>
    ),
  })
  return (
    <main data-color={color} style={{ borderTop: `1rem solid ${color}`, height: '95vh' }}>
      <CopilotChat threadId={new URLSearchParams(location.search).get('chat') ?? 'trip'} />
    </main>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <CopilotKit runtimeUrl="/api/copilotkit" useSingleEndpoint={false}>
    <Chat />
  </CopilotKit>,
)
