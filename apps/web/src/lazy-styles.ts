// Rendered pages also need the styles of components whose scripts are lazy.
import.meta.glob(
  [
    './pages/*.module.css',
    './features/{agent,browse,owner,register}/*.module.css',
    './features/compare/Comparison.module.css',
    './components/*.module.css',
  ],
  {
    eager: true,
  },
);
