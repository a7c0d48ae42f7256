/** Short words for messages and blocks in the shape of Bedrock Converse. */
export const asks = (...content: unknown[]) => ({ role: 'user', content })
export const replies = (...content: unknown[]) => ({ role: 'assistant', content })

export const words = (text = 'hello') => ({ text })
export const toolUse = (toolUseId: string, input: unknown = {}, name = 'weather') => ({
  toolUse: { toolUseId, name, input },
})
export const toolResult = (toolUseId: string, content: unknown = [words('sunny')], status = 'success') => ({
  toolResult: { toolUseId, content, status },
})
export const reasoning = (signature?: string) => ({
  reasoningContent: { reasoningText: { text: 'hm', ...(signature === undefined ? {} : { signature }) } },
})
export const cachePoint = { cachePoint: { type: 'default' } }
