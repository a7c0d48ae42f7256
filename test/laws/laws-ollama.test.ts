import { testLaws } from './test-laws.ts'

testLaws('ollama')
