// The mark, with the name where there is room.
export function Mark() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 5.5 12 3l8 2.5v13L12 21l-8-2.5z" />
      <path d="M12 3v18M4 12l8 1.5 8-1.5" strokeWidth="1.5" />
    </svg>
  )
}
