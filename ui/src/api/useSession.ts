// The state of the log-in as React state.
import { useSyncExternalStore } from 'react'
import { session } from './session'

export const useSession = () => useSyncExternalStore(session.subscribe, session.snapshot)
