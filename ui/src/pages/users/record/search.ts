// What the address of a user's record keeps.
export interface UserSearch {
  tab?: 'requests' | 'details' | 'blocks' | 'notes' | 'permissions'
  loans?: 'closed'
  fees?: 'closed' | 'all'
  sort?: string
}
