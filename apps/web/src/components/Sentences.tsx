export function Sentences({ texts, className }: { texts: readonly string[]; className: string | undefined }) {
  return (
    <ul className={className}>
      {texts.map((text, index) => (
        <li key={index} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  );
}
