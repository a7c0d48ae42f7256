import { loadUIMessages } from 'antiphon/adapters/ai-sdk'
import { Chat } from './chat.tsx'
import { journal } from './handler.ts'

export const dynamic = 'force-dynamic'

export default async function Page({ searchParams }: { searchParams: Promise<{ chat: string }> }) {
  const { chat } = await searchParams
  return <Chat id={chat} initialMessages={await loadUIMessages(journal, chat)} />
}
