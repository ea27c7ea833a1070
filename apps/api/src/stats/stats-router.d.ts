/** The procedure that reads the headline figures. */
export declare const statsRouter: import('@trpc/server').TRPCBuiltRouter<
  {
    ctx: import('../trpc.ts').Context;
    meta: import('../trpc.ts').Meta;
    errorShape: import('@trpc/server').TRPCDefaultErrorShape;
    transformer: false;
  },
  import('@trpc/server').TRPCDecorateCreateRouterOptions<{
    get: import('@trpc/server').TRPCQueryProcedure<{
      input: void;
      output: {
        totalAgents: number;
        categories: number;
        monthlyViews: number;
      };
      meta: import('../trpc.ts').Meta;
    }>;
  }>
>;
