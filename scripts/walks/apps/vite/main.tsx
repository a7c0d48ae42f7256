import { createRoot } from 'react-dom/client'
import { Chat } from './chat.tsx'

const id = new URLSearchParams(location.search).get('chat') ?? ''
const initialMessages = await (await fetch(`/api/chat/${id}`)).json()
const root = document.getElementById('root')
if (root) createRoot(root).render(<Chat id={id} initialMessages={initialMessages} />)
