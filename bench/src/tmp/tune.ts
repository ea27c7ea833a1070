import { evalAll, P } from './proto.ts';
const base=await evalAll(); console.log('base',base.all,base.en,'unjudged',base.unjudged);
const grid={wn:[1.3,1.7,2.2,3],wc:[1,1.6,2.2,3],k1:[0.6,1,1.6,2.5],bn:[0,0.15,0.3,0.5],bt:[0,0.2,0.35,0.6],stem:[0.8,1],family:[0.4,0.6,0.85],syn:[0.5,0.85,1],tr:[0.6,0.8,1],infix:[0,0.15,0.3,0.5],prefix:[0,0.3,0.7,1],corr:[0,0.3,0.6],cover:[0,0.3,0.5,0.7],capPow:[0,0.25,0.5,0.75]};
for(const [k,vals] of Object.entries(grid)){ const old=P[k]; const out=[]; for(const x of vals){ P[k]=x; const r=await evalAll(); out.push(`${x}: ${r.all}`);} P[k]=old; console.log(k,old,'|',out.join('  ')); }
